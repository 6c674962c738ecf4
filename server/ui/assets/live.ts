/**
 * Live sections, which htmx polls. Here they are paused, left alone while the page is out of sight, and marked when the
 * instance does not answer.
 */
let isPaused = false;
/** Times since when the page is frozen, and without contact; empty: it is not. */
const since = { frozen: '', lost: '' };

interface HtmxEvent extends CustomEvent {
  readonly detail: {
    readonly ctx?: { readonly sourceElement?: Element; readonly response?: { readonly status: number } };
  };
}

const liveOf = (element: Element | null | undefined): HTMLElement | null =>
  element?.closest<HTMLElement>('[data-live]') ?? null;

function sourceOf(event: Event): Element | undefined {
  return (event as HtmxEvent).detail.ctx?.sourceElement;
}

/** Shows the button while anything is asked for again, and hides it when all of that has ended. */
function showPause(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-pause]');
  if (button !== null) button.hidden = document.querySelector('section[hx-trigger]') === null;
}

const clock = (): string => `${new Date().toISOString().slice(11, 19)} UTC`;

/** When the page was up to date last. */
let seen = clock();

/**
 * One place of the page says since when it is frozen, or without contact, whichever section was asked for. Without contact
 * the stamp of a verdict says of when it is.
 */
function showSince(state: keyof typeof since, isSo: boolean): void {
  const place = document.querySelector<HTMLElement>('[data-lost]');
  if (place === null) return;
  if (!isSo) since[state] = '';
  else since[state] ||= state === 'lost' ? seen : clock();
  const shown = since.frozen === '' ? 'lost' : 'frozen';
  place.textContent = since[shown] && (place.dataset[shown] ?? '').replace('{time}', since[shown]);
  for (const stamp of document.querySelectorAll<HTMLElement>('.live .stamp')) {
    if (since.lost === '') delete stamp.dataset.asOf;
    else stamp.dataset.asOf = (place.dataset.stamp ?? '').replace('{time}', since.lost);
  }
}

const statusOf = (live: HTMLElement): string => live.querySelector('[data-status]')?.textContent ?? '';

/** Has the sentence of a section read out when it has changed; the first one is read with the page. */
function announce(live: HTMLElement): void {
  const out = live.querySelector<HTMLElement>('[data-status-out]');
  const text = statusOf(live);
  if (out === null || live.dataset.said === text) return;
  live.dataset.said = text;
  out.textContent = text;
}

/** Has the result of a filter read out: the verdict on the list, why it is empty, or its name and how much of it is shown. */
function announceFound(form: Element): void {
  const out = form.parentElement?.querySelector('[data-found]');
  const list = document.querySelector(form.getAttribute('hx-target') ?? '');
  if (!out || list === null) return;
  const one = list.querySelector('.answer-what, .empty > p');
  // the name of the region leaves out the order, which the caption has
  const shown = one === null ? [...list.querySelectorAll('.table-scroll, .pager > .muted')] : [one];
  out.textContent = shown.map(({ ariaLabel, textContent }) => ariaLabel ?? textContent).join(', ');
}

/** Asks for a section again now, before its time. */
function askNow(live: HTMLElement): void {
  live.querySelector('section[hx-trigger]')?.dispatchEvent(new CustomEvent('every'));
}

/** The section that had the focus when its swap began. */
let focused: HTMLElement | null = null;

/** A button that goes with a swap, such as that of a task which has ended, leaves its focus to its section. */
function keepFocus(live: HTMLElement): void {
  if (focused !== live || document.activeElement !== document.body) return;
  const section = live.querySelector<HTMLElement>('section');
  section?.setAttribute('tabindex', '-1');
  section?.focus({ preventScroll: true });
}

const allLive = document.querySelectorAll<HTMLElement>('[data-live]');

document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLButtonElement>('[data-pause]');
  if (button === null) return;
  isPaused = !isPaused;
  const other = button.dataset.resume ?? '';
  button.dataset.resume = button.textContent ?? '';
  button.textContent = other;
  showSince('frozen', isPaused);
  if (!isPaused) for (const live of allLive) askNow(live);
});

document.addEventListener('htmx:config:request', (event) => {
  const source = sourceOf(event);
  const live = liveOf(source);
  if (live === null || source?.tagName !== 'SECTION') return;
  if (document.hidden || isPaused) event.preventDefault();
});

document.addEventListener('htmx:after:request', (event) => {
  // a refusal follows as an error of its own
  const { status = 0 } = (event as HtmxEvent).detail.ctx?.response ?? {};
  if (liveOf(sourceOf(event)) === null || status >= 400) return;
  seen = clock();
  showSince('lost', false);
});

for (const name of ['htmx:error', 'htmx:response:error']) {
  document.addEventListener(name, (event) => {
    if (liveOf(sourceOf(event)) !== null) showSince('lost', true);
  });
}

document.addEventListener('htmx:before:swap', () => {
  focused = liveOf(document.activeElement);
});

document.addEventListener('htmx:after:swap', (event) => {
  const source = sourceOf(event);
  if (source?.matches('form.filters')) announceFound(source);
  const live = liveOf(source);
  if (live === null) return;
  showPause();
  announce(live);
  keepFocus(live);
});

for (const live of allLive) live.dataset.said = statusOf(live);
showPause();

// a page that comes into sight again is up to date at once
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) for (const live of allLive) askNow(live);
});

/** A form that takes its time says so, and is not sent twice. */
document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (form.dataset.sent !== undefined) {
    event.preventDefault();
    return;
  }
  if (form.method !== 'post' || form.dataset.downloads !== undefined) return;
  form.dataset.sent = '';
  // the button that was pressed: a form may have several, and only one of them works now
  const button = event.submitter ?? form.querySelector<HTMLButtonElement>('[data-working]');
  if (button?.dataset.working !== undefined) {
    button.textContent = button.dataset.working;
    button.setAttribute('aria-disabled', 'true');
  }
});

/** A page that the browser kept is shown as it was: its forms can be sent again. */
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-sent]')) delete form.dataset.sent;
});
