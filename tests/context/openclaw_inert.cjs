// Stands in for whatever a chunk of the package requires from others; see `openclaw_hooks.mjs`.
const inert = () =>
  new Proxy(function () {}, {
    get: (target, key) => (key === Symbol.toPrimitive ? () => "" : key === "prototype" ? target.prototype : inert()),
    apply: inert,
    construct: inert,
  });
module.exports = inert();
