/** `Ctrl K`, on a Mac `⌘ K`, leads to the search field. */
document.addEventListener('keydown', (event) => {
  if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  const field = document.querySelector<HTMLInputElement>('#search');
  if (field === null) return;
  event.preventDefault();
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
