/** Copies the text of a button. The clipboard needs a secure origin; over HTTP a selection is copied instead. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  area.readOnly = true;
  const before = document.activeElement;
  document.body.append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } finally {
    area.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}

document.addEventListener('click', async (event) => {
  const button = (event.target as Element).closest<HTMLButtonElement>('[data-copy]');
  if (button === null) return;
  if (!(await copyText(button.dataset.copy ?? ''))) return;
  const label = button.getAttribute('aria-label') ?? '';
  button.dataset.state = 'done';
  button.setAttribute('aria-label', button.dataset.copied ?? '');
  button.addEventListener(
    'blur',
    () => {
      delete button.dataset.state;
      button.setAttribute('aria-label', label);
    },
    { once: true },
  );
});
