/**
 * Live sections: htmx asks for them again; here they are paused, left alone while the page is not in sight, and marked
 * when the instance does not answer.
 */
const paused = new Set<string>();

interface HtmxEvent extends CustomEvent {
  readonly detail: { readonly ctx?: { readonly sourceElement?: Element; readonly status?: string } };
}

const liveOf = (element: Element | null | undefined): HTMLElement | null =>
  element?.closest<HTMLElement>('[data-live]') ?? null;

function sourceOf(event: Event): Element | undefined {
  return (event as HtmxEvent).detail.ctx?.sourceElement;
}

/** Shows the button while the section is asked for again, and hides it when that has ended. */
function showPause(live: HTMLElement): void {
  const button = live.querySelector<HTMLButtonElement>('[data-pause]');
  const isLive = live.querySelector('section[hx-trigger]') !== null;
  if (button !== null) button.hidden = !isLive;
}

function showContact(live: HTMLElement, isLost: boolean): void {
  const place = live.querySelector<HTMLElement>('[data-lost]');
  if (place === null) return;
  if (!isLost) place.textContent = '';
  else if (place.textContent === '') {
    const time = `${new Date().toISOString().slice(11, 19)}Z`;
    place.textContent = (place.dataset.lost ?? '').replace('{time}', time);
  }
}

/** Has the sentence of a section read out when it has changed. */
function announce(live: HTMLElement): void {
  const out = live.querySelector<HTMLElement>('[data-status-out]');
  const text = live.querySelector('[data-status]')?.textContent ?? '';
  if (out !== null && out.textContent !== text) out.textContent = text;
}

document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLButtonElement>('[data-pause]');
  if (button === null) return;
  const id = button.dataset.pause ?? '';
  if (!paused.delete(id)) paused.add(id);
  const other = button.dataset.resume ?? '';
  button.dataset.resume = button.textContent ?? '';
  button.textContent = other;
});

document.addEventListener('htmx:config:request', (event) => {
  const source = sourceOf(event);
  const live = liveOf(source);
  if (live === null || source?.tagName !== 'SECTION') return;
  if (document.hidden || paused.has(live.dataset.live ?? '')) event.preventDefault();
});

document.addEventListener('htmx:after:request', (event) => {
  const live = liveOf(sourceOf(event));
  if (live !== null) showContact(live, false);
});

for (const name of ['htmx:error', 'htmx:response:error']) {
  document.addEventListener(name, (event) => {
    const live = liveOf(sourceOf(event));
    if (live !== null) showContact(live, true);
  });
}

document.addEventListener('htmx:after:swap', (event) => {
  const live = liveOf(sourceOf(event));
  if (live === null) return;
  showPause(live);
  announce(live);
});

for (const live of document.querySelectorAll<HTMLElement>('[data-live]')) showPause(live);

/** A form that takes its time says so, and is not sent twice. */
document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (form.dataset.sent !== undefined) {
    event.preventDefault();
    return;
  }
  if (form.method !== 'post') return;
  form.dataset.sent = '';
  const button = form.querySelector<HTMLButtonElement>('[data-working]');
  if (button !== null) {
    button.textContent = button.dataset.working ?? '';
    button.setAttribute('aria-disabled', 'true');
  }
});

/** A page that the browser kept is shown as it was: its forms can be sent again. */
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-sent]')) delete form.dataset.sent;
});
