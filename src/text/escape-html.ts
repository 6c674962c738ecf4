const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters with a meaning in markup, and control characters, which no page has. */
const special = /[&<>"'\0-\x08\x0b\x0e-\x1f\x7f-\x9f]/g;

/** Escapes a text for text and double-quoted attributes. A control character other than a space becomes U+FFFD. */
export function escapeHtml(text: string): string {
  return text.replace(special, (character) => escapes[character] ?? '\ufffd');
}
