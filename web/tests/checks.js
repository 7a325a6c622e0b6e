// SPDX-License-Identifier: MIT
// Checks that the tests run in the page. The file is one expression, an object with a function for each check.
({
  // Returns the texts whose contrast with their background is below what WCAG 2.2 AA asks for.
  contrast: () => {
    const parse = (text) => (text.match(/[\d.]+/g) ?? []).map(Number);
    const light = ([r, g, b]) => [r, g, b]
                                     .map((c) => c / 255)
                                     .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
                                     .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const backOf = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const [r, g, b, a = 1] = parse(getComputedStyle(at).backgroundColor);
        if (a === 1 && r !== undefined) return [r, g, b];
      }
      return [255, 255, 255];
    };
    const bad = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (walker.currentNode.textContent.trim() === "" || !element.checkVisibility() ||
          element.closest("option, :disabled, .hidden, .skip"))
        continue;
      const style = getComputedStyle(element);
      const [a, b] = [light(parse(element.closest("svg") ? style.fill : style.color)), light(backOf(element))].sort(
          (x, y) => y - x);
      if ((a + 0.05) / (b + 0.05) < 4.5)
        bad.push(`${element.className} ${walker.currentNode.textContent.slice(0, 20)} ${
            ((a + 0.05) / (b + 0.05)).toFixed(2)}`);
    }
    return [...new Set(bad)];
  },

  // Returns what has no name for a screen reader, or is out of the order of the document.
  names: () => {
    const bad = [];
    const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
    if (new Set(ids).size !== ids.length) bad.push("an id is used twice");
    for (const element of document.querySelectorAll("input, select, textarea")) {
      if (!element.checkVisibility()) continue;
      if (element.labels.length === 0 && !element.ariaLabel) bad.push(`no label: ${element.id}`);
    }
    for (const element of document.querySelectorAll("button, [role=tab], [role=img], [role=region], [tabindex]")) {
      const name = element.ariaLabel || element.textContent.trim() || element.getAttribute("aria-labelledby");
      if (!name && element.id !== "main") bad.push(`no name: ${element.outerHTML.slice(0, 80)}`);
      if (element.tabIndex > 0) bad.push(`its own order of focus: ${element.outerHTML.slice(0, 80)}`);
    }
    for (const element of document.querySelectorAll(
             "[aria-controls], [aria-labelledby], [aria-describedby], label[for]"))
      for (const name of ["aria-controls", "aria-labelledby", "aria-describedby", "for"])
        if (element.hasAttribute(name) && !document.getElementById(element.getAttribute(name)))
          bad.push(`no element ${element.getAttribute(name)}`);
    if (document.querySelectorAll("h1").length !== 1 || !document.documentElement.lang)
      bad.push("no title or language");
    for (const table of document.querySelectorAll("table"))
      if ([...table.querySelectorAll("thead th")].some((cell) => cell.scope !== "col"))
        bad.push("a head of a column has no scope");
    return bad;
  },

  // Returns which element has the focus, and whether it is visible.
  focused: () => {
    const element = document.activeElement;
    const all = [...document.querySelectorAll("*")];
    const outline = getComputedStyle(element).outlineStyle;
    return {at: all.indexOf(element), id: element.id, tag: element.tagName, outline, shown: element.checkVisibility()};
  },

  // Returns the cumulative layout shift since the page was opened.
  shifts: () => new Promise((end) => {
    let sum = 0;
    new PerformanceObserver(
        (list) => list.getEntries().forEach((entry) => (sum += entry.hadRecentInput ? 0 : entry.value)))
        .observe({type: "layout-shift", buffered: true});
    setTimeout(() => end(sum), 300);
  }),
});
