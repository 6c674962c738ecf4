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

/** Says to a screen reader what happened: the label of a button that changed is not read out everywhere. */
function announce(text: string): void {
  let place = document.querySelector('[data-announced]');
  if (place === null) {
    place = document.createElement('p');
    place.className = 'visually-hidden';
    place.setAttribute('role', 'status');
    place.setAttribute('data-announced', '');
    document.body.append(place);
  }
  place.textContent = text;
}

document.addEventListener('click', async (event) => {
  const button = (event.target as Element).closest<HTMLButtonElement>('[data-copy]');
  if (button === null) return;
  if (!(await copyText(button.dataset.copy ?? ''))) return;
  const label = button.getAttribute('aria-label') ?? '';
  button.dataset.state = 'done';
  button.setAttribute('aria-label', button.dataset.copied ?? '');
  announce(button.dataset.copied ?? '');
  button.addEventListener(
    'blur',
    () => {
      delete button.dataset.state;
      button.setAttribute('aria-label', label);
      announce('');
    },
    { once: true },
  );
});

/** Prints the page. */
document.addEventListener('click', (event) => {
  if ((event.target as Element).closest('[data-print]') !== null) window.print();
});
