// Assembles prompts with the own code of a published `openclaw` package, for the comparison with ours.
//
// usage: node openclaw_assembly.mjs PACKAGE_FOLDER CASES.json RESULT.json
// A case is {id, workspace, session: "main"|"subagent"|"cron", mode, config}. For each the result holds the context
// files in the order in which they were budgeted, and the prompt that the package builds around them.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import Module, { register } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

register("./openclaw_hooks.mjs", import.meta.url);
const [, , packageFolder, casesFile, resultFile] = process.argv;

const found = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  try {
    return found.call(this, request, ...rest);
  } catch (error) {
    if (request.startsWith(packageFolder)) throw error;
    return fileURLToPath(new URL("./openclaw_inert.cjs", import.meta.url));
  }
};

const WANTED = [
  "loadWorkspaceBootstrapFiles",
  "filterBootstrapFilesForSession",
  "buildBootstrapContextFiles",
  "resolveBootstrapMaxChars",
  "resolveBootstrapTotalMaxChars",
  "loadExtraBootstrapFiles",
  "loadExtraBootstrapFilesWithDiagnostics",
  "buildAgentSystemPrompt",
];

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!["node_modules", "worker", "extensions", "plugin-sdk", "control-ui"].includes(entry.name)) yield* sources(path);
    } else if (/\.m?js$/.test(entry.name) && !entry.name.startsWith("seen-by-the-test-")) yield path;
  }
}

// The names of a bundle's exports are shortened, so a copy of the chunk beside it exports them under their own.
async function functions() {
  const found = {};
  const places = new Map();
  for (const path of sources(join(packageFolder, "dist"))) {
    const text = readFileSync(path, "utf-8");
    for (const name of WANTED) {
      const declared = new RegExp(`^(?:export )?(?:async )?function ${name}\\(`, "m").test(text);
      const size = text.length;
      const earlier = places.get(name);
      if (declared && (!earlier || size < earlier.size)) places.set(name, { path, text, size });
    }
  }
  const chunks = new Map();
  for (const [name, place] of places) {
    const chunk = chunks.get(place.path) ?? { text: place.text, names: [] };
    chunk.names.push(name);
    chunks.set(place.path, chunk);
  }
  for (const [path, chunk] of chunks) {
    const copy = join(dirname(path), `seen-by-the-test-${basename(path)}`);
    const exported = chunk.names.map((name) => `${name} as own_${name}`).join(", ");
    writeFileSync(copy, `${chunk.text}\nexport { ${exported} };\n`);
    const module = await import(pathToFileURL(copy).href);
    for (const name of chunk.names) found[name] = module[`own_${name}`];
  }
  return found;
}

const SESSIONS = {
  main: "agent:main:main",
  subagent: "agent:main:subagent:7f0c0b1e-0000-4000-8000-000000000000",
  cron: "agent:main:cron:nightly",
};

function extraPatterns(config) {
  const hook = config?.hooks?.internal?.entries?.["bootstrap-extra-files"];
  if (!hook || hook.enabled === false) return [];
  for (const value of [hook.paths, hook.patterns, hook.files]) {
    if (Array.isArray(value) && value.length) return value;
  }
  return [];
}

const own = await functions();
const takesSession = /session\b/.test(own.filterBootstrapFilesForSession.toString().split("\n")[0]) &&
  !/sessionKey/.test(own.filterBootstrapFilesForSession.toString().split("\n")[0]);
const results = {};
for (const { id, workspace, session, mode, config } of JSON.parse(readFileSync(casesFile, "utf-8"))) {
  const sessionKey = SESSIONS[session];
  const selector = takesSession ? { sessionKey, workspaceDir: workspace } : sessionKey;
  let files = own.filterBootstrapFilesForSession(await own.loadWorkspaceBootstrapFiles(workspace), selector);
  const patterns = extraPatterns(config);
  const loadExtra = own.loadExtraBootstrapFilesWithDiagnostics ?? own.loadExtraBootstrapFiles;
  if (patterns.length && loadExtra) {
    const loaded = await loadExtra(workspace, patterns);
    const extra = Array.isArray(loaded) ? loaded : loaded.files;
    files = own.filterBootstrapFilesForSession([...files, ...extra], selector);
  }
  const contextFiles = own.buildBootstrapContextFiles(files, {
    maxChars: own.resolveBootstrapMaxChars(config, "main"),
    totalMaxChars: own.resolveBootstrapTotalMaxChars?.(config, "main"),
  });
  const prompt = own.buildAgentSystemPrompt({
    workspaceDir: workspace,
    contextFiles,
    promptMode: mode,
    toolNames: ["read", "memory_search", "gateway"],
    skillsPrompt: "<available_skills></available_skills>",
    docsPath: "/docs",
    ownerNumbers: ["+1"],
    userTimezone: "Etc/UTC",
    heartbeatPrompt: "poll",
    ttsHint: "speak",
    extraSystemPrompt: "extra",
    modelAliasLines: ["- a: b"],
    runtimeInfo: { channel: "telegram", capabilities: [] },
  });
  results[id] = { files: contextFiles.map(({ path, content }) => ({ path, content })), prompt };
}
writeFileSync(resultFile, JSON.stringify(results));
process.exit(0);
