/**
 * Suggestions below the search field while a text is typed: a list beside a combobox (WAI-ARIA Authoring Practices). The
 * form sends the text as it does without scripts, unless an entry of the list is chosen.
 */
const searched = document.querySelector<HTMLInputElement>('#search');

/** Letters from which on there are suggestions, and milliseconds without a key before they are asked for. */
const fewest = 2;
const quiet = 150;

function suggestFor(input: HTMLInputElement, form: HTMLFormElement): void {
  const list = document.createElement('ul');
  list.id = 'search-suggestions';
  list.className = 'suggestions';
  list.hidden = true;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', form.dataset.suggestions ?? '');
  form.append(list);
  for (const [name, value] of [
    ['role', 'combobox'],
    ['aria-autocomplete', 'list'],
    ['aria-controls', list.id],
    ['aria-expanded', 'false'],
  ] as const)
    input.setAttribute(name, value);
  let timer = 0;
  let asked: AbortController | undefined;

  const options = (): readonly HTMLElement[] => [...list.children] as HTMLElement[];
  const current = (): HTMLElement | undefined => options().find((each) => each.ariaSelected === 'true');

  const show = (isShown: boolean): void => {
    list.hidden = !isShown;
    input.setAttribute('aria-expanded', String(isShown));
    if (!isShown) choose(undefined);
  };

  const choose = (option: HTMLElement | undefined): void => {
    for (const each of options()) each.setAttribute('aria-selected', String(each === option));
    if (option === undefined) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', option.id);
    option?.scrollIntoView({ block: 'nearest' });
  };

  const close = (): void => {
    clearTimeout(timer);
    asked?.abort();
    show(false);
  };

  const fill = (markup: string): void => {
    const found = new DOMParser().parseFromString(markup, 'text/html').querySelectorAll('#suggestions li');
    list.replaceChildren(
      ...Array.from(found, (item, i) => {
        const option = document.createElement('li');
        const [link, ...others] = item.querySelectorAll('a');
        const name = document.createElement('span');
        name.className = 'suggestion';
        name.append(...link!.childNodes);
        option.dataset.to = link!.getAttribute('href')!;
        link!.replaceWith(name);
        // an entry leads to one place
        for (const other of others) other.replaceWith(...other.childNodes);
        option.append(...item.childNodes);
        option.id = `suggestion-${i}`;
        option.setAttribute('role', 'option');
        option.setAttribute('aria-selected', 'false');
        return option;
      }),
    );
    show(found.length > 0 && document.activeElement === input);
  };

  const ask = async (): Promise<void> => {
    const q = input.value.trim();
    if (q.length < fewest) return close();
    asked?.abort();
    asked = new AbortController();
    const headers = { accept: 'text/html', 'hx-request': 'true', 'hx-target': 'section#suggestions' };
    try {
      const query = new URLSearchParams({ q, view: 'suggestions' });
      const answer = await fetch(`/search?${query}`, { headers, signal: asked.signal });
      if (answer.ok) fill(await answer.text());
      else show(false);
    } catch {
      // a later text was asked for, or the instance does not answer: the form says so
    }
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, quiet);
  });
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    const all = options();
    if (list.hidden || all.length === 0 || event.isComposing) return;
    const at = all.indexOf(current()!);
    if (event.key === 'ArrowDown') choose(all[at + 1] ?? all[0]);
    else if (event.key === 'ArrowUp') choose(all.at(at < 0 ? -1 : at - 1));
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && at >= 0) location.assign(all[at]!.dataset.to!);
    else return;
    event.preventDefault();
  });
  // the field keeps the focus while an entry is pressed
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const option = (event.target as Element).closest<HTMLElement>('[role="option"]');
    if (option !== null) location.assign(option.dataset.to!);
  });
}

if (searched?.form) suggestFor(searched, searched.form);
