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

/** Says beside a button what happened, also to a screen reader: a label that changed is not read out everywhere. */
const copied = document.createElement('p');
copied.className = 'copied';
copied.setAttribute('role', 'status');
document.body.append(copied);

/** Room of the word in CSS pixels, which it has to the left of the end of the button, or at the edge of the page. */
const room = 128;

function announce(button: Element, text: string): void {
  const { right, top } = button.getBoundingClientRect();
  const { clientWidth } = document.documentElement;
  copied.style.right = `${clientWidth - Math.max(right, room)}px`;
  copied.style.top = `${top + scrollY}px`;
  copied.textContent = text;
}

document.addEventListener('click', async (event) => {
  const button = (event.target as Element).closest<HTMLButtonElement>('[data-copy]');
  if (button === null) return;
  if (!(await copyText(button.dataset.copy ?? ''))) return;
  const label = button.getAttribute('aria-label') ?? '';
  button.dataset.state = 'done';
  button.setAttribute('aria-label', button.dataset.copied ?? '');
  announce(button, button.dataset.copied ?? '');
  // some browsers give a pressed button no focus, which it then never loses
  button.focus();
  button.addEventListener(
    'blur',
    () => {
      delete button.dataset.state;
      button.setAttribute('aria-label', label);
      copied.textContent = '';
    },
    { once: true },
  );
});

/** Prints the page. */
document.addEventListener('click', (event) => {
  if ((event.target as Element).closest('[data-print]') !== null) window.print();
});
