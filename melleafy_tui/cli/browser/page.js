// The keyboard belongs to the wizard from the first moment, and to the way back when it has ended.
function focus(selector, then) {
  const found = document.querySelector(selector);
  if (!found) {
    requestAnimationFrame(() => focus(selector, then));
    return;
  }
  found.focus();
  if (then) then();
}

// The terminal fits its rows to the letters that it knows at that moment. The font, and the size of its letters after a
// resize, are known later; rows that no longer fit would hide the status line and the footer.
let fitting = 0;
function fitAgain() {
  clearTimeout(fitting);
  fitting = setTimeout(() => window.dispatchEvent(new Event("resize")), 100);
}

window.addEventListener("resize", (event) => {
  if (event.isTrusted) fitAgain();
});

window.addEventListener("load", () => {
  focus(".xterm-helper-textarea", () => document.fonts.ready.then(fitAgain));
  new MutationObserver(() => {
    if (document.body.classList.contains("-closed")) focus(".ended a");
  }).observe(document.body, { attributes: true, attributeFilter: ["class"] });
});
