// Module hooks for `openclaw_assembly.mjs`: what the package imports from others is stood in for by inert values.
//
// The assembly of a prompt uses nothing but Node's own modules; the chunks around it import mail, chat and model
// libraries, whose installation takes hundreds of megabytes and, for older releases, a git server.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SCHEME = "inert:";

function importedNames(source, specifier) {
  const names = new Set();
  const quoted = specifier.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const imports = new RegExp(`(?:import|export)\\s*([^;'"]*?)\\s*from\\s*["']${quoted}["']`, "g");
  for (const [, clause] of source.matchAll(imports)) {
    const braces = clause.match(/\{([^}]*)\}/);
    for (const part of braces ? braces[1].split(",") : []) {
      const name = part.trim().split(/\s+as\s+/)[0].trim();
      if (name && name !== "default") names.add(name);
    }
  }
  return names;
}

// A chunk that takes a whole module hands it on under other names; which of them are used, its neighbours say.
function namesFor(parent, specifier) {
  const source = readFileSync(parent, "utf-8");
  const names = importedNames(source, specifier);
  const quoted = specifier.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  if (!new RegExp(`\\*\\s*as\\s+[\\w$]+\\s+from\\s*["']${quoted}["']`).test(source)) return names;
  for (const file of readdirSync(dirname(parent))) {
    if (!file.endsWith(".js")) continue;
    for (const name of importedNames(readFileSync(join(dirname(parent), file), "utf-8"), specifier)) names.add(name);
  }
  return names;
}

export async function resolve(specifier, context, nextResolve) {
  try {
    return await nextResolve(specifier, context);
  } catch (error) {
    const own = specifier.startsWith(".") || specifier.startsWith("/") || specifier.startsWith("file:");
    if (own || !context.parentURL?.startsWith("file:")) throw error;
    const names = namesFor(fileURLToPath(context.parentURL), specifier);
    const list = encodeURIComponent(JSON.stringify([...names]));
    return { url: `${SCHEME}${encodeURIComponent(specifier)}?${list}`, shortCircuit: true };
  }
}

export async function load(url, context, nextLoad) {
  if (!url.startsWith(SCHEME)) return nextLoad(url, context);
  const names = JSON.parse(decodeURIComponent(url.slice(url.indexOf("?") + 1)));
  const lines = [
    "const inert = () => new Proxy(function () {}, {",
    "  get: (target, key) => key === Symbol.toPrimitive ? () => '' : key === 'prototype' ? target.prototype : key === 'then' ? undefined : inert(),",
    "  apply: inert, construct: inert, set: () => true, defineProperty: () => true });",
    "export default inert();",
    ...names.map((name) => `const _${name} = inert(); export { _${name} as ${name} };`),
  ];
  return { format: "module", source: lines.join("\n"), shortCircuit: true };
}
