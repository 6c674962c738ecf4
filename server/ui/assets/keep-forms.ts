/**
 * Keeps the typed values of a page's forms when a choice of language or theme reloads the page. They stay in this tab
 * only, until the page is shown. Secrets, files and hidden fields are not kept.
 */
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Name under which the fields of a page wait. */
const storageName = (path: string): string => `svc-forms:${path}`;

const unkept = new Set(['password', 'file', 'hidden', 'submit', 'button']);

/** The fields in their order, which is the same in every language. */
function listFields(): readonly Field[] {
  const found = document.querySelectorAll<Field>('main form input, main form textarea, main form select');
  return [...found].filter(({ name, type }) => name !== '' && !unkept.has(type));
}

const isBox = (field: Field): field is HTMLInputElement =>
  field.type === 'checkbox' || field.type === 'radio';

const toText = (field: Field): string => (isBox(field) ? String(field.checked) : field.value);

function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((option) => option.selected !== option.defaultSelected);
  return isBox(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

document.addEventListener('submit', ({ target }) => {
  const form = target as HTMLFormElement;
  if (!/^\/(?:lang|theme)$/.test(new URL(form.action).pathname)) return;
  const next = new FormData(form).get('next');
  const fields = listFields();
  // the values of a form that was refused are its defaults: they are lost as well
  const isTyped = fields.some(isChanged) || document.querySelector('main [role="alert"]') !== null;
  if (typeof next !== 'string' || !isTyped) return;
  try {
    const kept = fields.map((field) => [field.form?.getAttribute('action'), field.name, toText(field)]);
    sessionStorage.setItem(storageName(next), JSON.stringify(kept));
  } catch {
    // no room, or the browser stores nothing: the choice is made without them
  }
});

function restore(): void {
  const name = storageName(`${location.pathname}${location.search}`);
  const text = sessionStorage.getItem(name);
  if (text === null) return;
  sessionStorage.removeItem(name);
  const kept = JSON.parse(text) as readonly (readonly [string | null, string, string])[];
  for (const [index, field] of listFields().entries()) {
    const [action, fieldName, value] = kept[index] ?? [];
    if (value === undefined || action !== field.form?.getAttribute('action') || fieldName !== field.name)
      continue;
    if (isBox(field)) field.checked = value === 'true';
    else field.value = value;
  }
}

try {
  restore();
} catch {
  // values kept by another version of the page do not fit
}

/** A list does not follow a day that is typed in part. */
for (const name of ['input', 'change'])
  document.addEventListener(
    name,
    (event) => {
      const field = event.target;
      if (field instanceof HTMLInputElement && 'day' in field.dataset && !field.checkValidity())
        event.stopPropagation();
    },
    { capture: true },
  );
