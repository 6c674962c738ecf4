/** Opens the entry of the help that the address names, and marks its code in the list. */
function openNamed(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  const named = document.getElementById(id);
  if (named instanceof HTMLDetailsElement) named.open = true;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.help-index a')) {
    const isNamed = id !== '' && link.hash === location.hash;
    if (isNamed) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
    const family = link.closest('details');
    if (isNamed && family !== null) family.open = true;
  }
}
addEventListener('hashchange', openNamed);
openNamed();

const toPlain = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase();

/** Shows the codes that have all words, in open families; without words the families are as the address has them. */
function findCodes(text: string): number {
  const asked = toPlain(text)
    .split(/\s+/)
    .filter((word) => word !== '');
  let found = 0;
  for (const family of document.querySelectorAll<HTMLDetailsElement>('.help-index details')) {
    const name = family.querySelector('summary')?.textContent ?? '';
    let shown = 0;
    for (const item of family.querySelectorAll('li')) {
      const words = toPlain(`${name} ${item.textContent}`);
      item.hidden = !asked.every((word) => words.includes(word));
      if (!item.hidden) shown += 1;
    }
    family.hidden = shown === 0;
    family.open = asked.length > 0;
    found += shown;
  }
  if (asked.length === 0) openNamed();
  return found;
}

const finder = document.querySelector<HTMLElement>('[data-find-code]');
if (finder !== null) {
  const none = finder.querySelector<HTMLElement>('[data-none]');
  finder.addEventListener('input', ({ target }) => {
    const found = findCodes((target as HTMLInputElement).value);
    if (none !== null) none.textContent = found === 0 ? (none.dataset.none ?? '') : '';
  });
}
