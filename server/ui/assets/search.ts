/** `Ctrl K`, on a Mac `⌘ K`, leads to the search field, or to its page where the field is not shown. */
document.addEventListener('keydown', (event) => {
  if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  const field = document.querySelector<HTMLInputElement>('#search');
  if (field === null) return;
  event.preventDefault();
  if (!field.checkVisibility()) location.assign('/search');
  field.focus();
  field.select();
});

/** Only one menu of the header is open, and `Escape` or a click elsewhere closes it. */
function closeMenus(except: Element | null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]'))
    if (menu !== except) menu.open = false;
}

document.addEventListener('click', (event) => closeMenus((event.target as Element).closest('details.menu')));
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  const menu = document.querySelector<HTMLDetailsElement>('details.menu[open]');
  closeMenus(null);
  menu?.querySelector('summary')?.focus();
});

/** The folded filters of a small screen say how many of them narrow the list. */
document.addEventListener('input', ({ target }) => {
  const form = (target as Element).closest<HTMLFormElement>('form.filters');
  const count = form?.closest('.filters-fold')?.querySelector<HTMLElement>('.filter-count');
  if (!form || !count) return;
  const shown = [...form.elements].map((each) =>
    (each as HTMLInputElement).type === 'hidden' ? '' : (each as HTMLInputElement).name,
  );
  const active = new Set(
    [...new FormData(form)].flatMap(([name, value]) => (value !== '' && shown.includes(name) ? [name] : [])),
  );
  count.hidden = active.size === 0;
  count.querySelector('[data-count]')!.textContent = String(active.size);
});

/** A choice of columns is of the list as it is now, whose filter may have changed since the page was loaded. */
document.addEventListener(
  'change',
  ({ target }) => {
    const fold = (target as Element).closest('.columns');
    if (fold === null) return;
    fold.querySelector<HTMLInputElement>('[name="next"]')!.value = location.pathname + location.search;
    const said = fold.querySelector<HTMLElement>('[data-one]')!;
    const { one = '', two = '' } = said.dataset;
    const hidden = fold.querySelectorAll('[name="column"]:not(:checked)').length;
    said.textContent = hidden === 0 ? '' : hidden === 1 ? one : two.replace('2', String(hidden));
  },
  { capture: true },
);
