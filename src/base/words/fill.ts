/** `[text with {x}]` is kept if x is present; `[text with {x}|other text]` is replaced by the other text if x is absent. */
const optionalPart = /\[([^[\]|]*\{[^[\]|]*)(?:\|([^[\]]*))?\]/g;
const placeholder = /\{([A-Za-z]+)(?::(size))?\}/g;

/**
 * Fills the placeholders `{name}` and `{name:size}` of a sentence, after its optional parts.
 *
 * @param has whether a parameter has a value
 * @param show the value of a parameter that has one, as text; `format` is what follows the colon
 * @returns the sentence; `?` where a parameter outside an optional part has no value
 */
export function fill(
  template: string,
  has: (name: string) => boolean,
  show: (name: string, format: 'size' | undefined) => string,
): string {
  return template
    .replace(optionalPart, (_, part: string, otherwise = '') =>
      [...part.matchAll(placeholder)].every(([, name]) => has(name!)) ? part : otherwise,
    )
    .replace(placeholder, (_, name: string, format: 'size' | undefined) =>
      has(name) ? show(name, format) : '?',
    );
}

/** Names of the parameters of a sentence, in order of appearance, each once. */
export function listPlaceholders(template: string): readonly string[] {
  return [...new Set([...template.matchAll(placeholder)].map(([, name]) => name!))];
}
