import { noteField } from '../faults.ts';
import { attr, type Html, html, tokenField } from '../html.ts';
import type { PageCall } from '../ui-route.ts';
import { showSentence, wordFault } from './error.ts';

interface FieldOptions {
  /** Name of the member of the API. */
  readonly name: string;
  /** Tells fields of one name on a page apart; default: the name. */
  readonly id?: string;
  readonly label: string;
  readonly hint?: string;
  readonly value?: string;
  readonly required?: boolean;
  readonly autocomplete?: string;
  /** The message of a wrong value; default: that of the error. */
  readonly message?: string;
  /** Name by which errors name it; default: its own. */
  readonly about?: string | undefined;
}

/** The message of a field of a form that is shown again with a wrong value; empty for others. */
export function faultOf(
  { posted, words }: PageCall,
  { name, id = name, about = name, message }: Pick<FieldOptions, 'name' | 'id' | 'about' | 'message'>,
): Html | string {
  const error = posted?.wrong.get(about);
  return error === undefined
    ? ''
    : html`<p class="field-error" id="error-${id}">${message ?? showSentence(wordFault(words, error, about, posted?.fields.get(name)))}</p>`;
}

const isInvalid = ({ posted }: PageCall, { name, about = name }: FieldOptions): boolean =>
  posted?.wrong.has(about) === true;

function described(call: PageCall, options: FieldOptions, control: Html): Html {
  const { name, id = name, label, hint, about = name } = options;
  noteField(call.posted, about, { label, id: `field-${id}`, given: call.posted?.fields.get(name) });
  return html`<div class="field">
<label for="field-${id}">${label}</label>
${hint === undefined ? '' : html`<p class="hint" id="hint-${id}">${hint}</p>`}
${control}
${faultOf(call, options)}
</div>`;
}

function describedBy(call: PageCall, options: FieldOptions): string | undefined {
  const { name, id = name, hint } = options;
  const ids = [
    ...(hint === undefined ? [] : [`hint-${id}`]),
    ...(isInvalid(call, options) ? [`error-${id}`] : []),
  ];
  return ids.length === 0 ? undefined : ids.join(' ');
}

/**
 * A form that posts to an action of the interface. `multipart` for forms with a file, `isWide` for fields in two columns,
 * `downloads` for one whose answer is a file: its page stays, and it can be sent again.
 */
export function form(
  action: string,
  content: Html,
  options: {
    readonly multipart?: boolean;
    readonly id?: string;
    readonly isWide?: boolean;
    readonly downloads?: boolean;
  } = {},
): Html {
  return html`<form class="form${options.isWide ? ' form-wide' : ''}" ${attr('id', options.id)} method="post" action="${action}" ${attr('data-downloads', options.downloads)} ${attr('enctype', options.multipart ? 'multipart/form-data' : undefined)}>
${tokenField}
${content}
</form>`;
}

/** A line of text. Shown again with the typed value. */
export function textField(
  call: PageCall,
  options: FieldOptions & { readonly type?: 'text' | 'search' | 'url' | 'date' },
): Html {
  const { name, id = name, value = '', required = false, autocomplete = 'off', type = 'text' } = options;
  const control = html`<input class="input" id="field-${id}" name="${name}" type="${type}" value="${call.field(name, value)}" autocomplete="${autocomplete}" spellcheck="false" autocapitalize="none" ${attr('required', required)} ${attr('aria-describedby', describedBy(call, options))} ${attr('aria-invalid', isInvalid(call, options) && 'true')}>`;
  return described(call, options, control);
}

/** A secret: never shown again. Pasting is allowed. */
export function passwordField(
  call: PageCall,
  options: FieldOptions & { readonly autocomplete: 'current-password' | 'new-password' },
): Html {
  const { name, required = true, autocomplete } = options;
  const control = html`<input class="input" id="field-${name}" name="${name}" type="password" autocomplete="${autocomplete}" ${attr('required', required)} ${attr('aria-describedby', describedBy(call, options))} ${attr('aria-invalid', isInvalid(call, options) && 'true')}>`;
  return described(call, options, control);
}

/** Several lines. With `file`, a file may be given in their place; the form must then be `multipart`. */
export function textArea(
  call: PageCall,
  options: FieldOptions & {
    readonly rows?: number;
    readonly file?: { readonly label: string; readonly accept?: string };
  },
): Html {
  const { name, value = '', required = false, rows = 12, file } = options;
  // a line break right after the start tag is dropped by browsers (HTML, "newline in textarea")
  const control = html`<textarea class="input input-code" id="field-${name}" name="${name}" rows="${rows}" spellcheck="false" autocapitalize="none" ${attr('required', required && file === undefined)} ${attr('aria-describedby', describedBy(call, options))} ${attr('aria-invalid', isInvalid(call, options) && 'true')}>
${call.field(name, value)}</textarea>`;
  const other =
    file === undefined
      ? ''
      : html`<p class="field-file"><label for="field-${name}-file">${file.label}</label> <input type="file" id="field-${name}-file" name="${name}-file" ${attr('accept', file.accept)}></p>`;
  return described(call, options, html`${control}${other}`);
}

/** One of a few values. */
export function selectField(
  call: PageCall,
  options: FieldOptions & { readonly options: readonly (readonly [value: string, text: string])[] },
): Html {
  const { name, value = '' } = options;
  const chosen = call.field(name, value);
  const control = html`<select class="input" id="field-${name}" name="${name}" ${attr('aria-describedby', describedBy(call, options))} ${attr('aria-invalid', isInvalid(call, options) && 'true')}>
${options.options.map(([each, text]) => html`<option value="${each}" ${attr('selected', each === chosen)}>${text}</option>`)}
</select>`;
  return described(call, options, control);
}

/** A box to tick. Its value is `true` unless told. */
export function checkbox(call: PageCall, options: FieldOptions & { readonly checked?: boolean }): Html {
  const { name, label, hint, checked = false, value = 'true' } = options;
  noteField(call.posted, name, { label, id: `field-${name}`, given: call.posted?.fields.get(name) });
  const isOn = call.posted === undefined ? checked : call.posted.fields.get(name)?.[0] === value;
  return html`<div class="field field-check"><input type="checkbox" id="field-${name}" name="${name}" value="${value}" ${attr('checked', isOn)} ${attr('required', options.required)} ${attr('aria-describedby', describedBy(call, options))} ${attr('aria-invalid', isInvalid(call, options) && 'true')}><label for="field-${name}">${label}</label>${hint === undefined ? '' : html`<p class="hint" id="hint-${name}">${hint}</p>`}${faultOf(call, options)}</div>`;
}

interface SubmitOptions {
  /** `danger` for an action that cannot be undone. */
  readonly kind?: 'primary' | 'plain' | 'danger';
  /** Replaces the text while the answer is awaited: for actions that use the network. */
  readonly working?: string;
  /** Identifier of the form, where the button stands outside of it. */
  readonly form?: string;
  /** Whether it cannot be used now; the page says why. */
  readonly isOff?: boolean;
}

/** A form below its results, or below a list: folded until it is wanted, or has an error. */
export function belowResults({ posted }: PageCall, title: string, shown: Html): Html {
  return html`<details class="fold" ${attr('open', posted?.error !== undefined)}><summary>${title}</summary>${shown}</details>`;
}

/** The button that sends the form. */
export function submit(
  text: string,
  { kind = 'primary', working, form: id, isOff = false }: SubmitOptions = {},
): Html {
  return html`<button class="button button-${kind}" type="submit" ${attr('disabled', isOff)} ${attr('form', id)} ${attr('data-working', working)}>${text}</button>`;
}
