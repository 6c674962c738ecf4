/**
 * Under Trusted Types (the policy of pages) markup may enter the document through the policy `default` only. The answers
 * of this instance, which htmx parses, escape every value; a script in one is not run. There is no `createScript`: sinks
 * that run text stay closed.
 */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(markup: string): string }): unknown;
}

const { trustedTypes } = window as unknown as { trustedTypes?: TrustedTypes };
trustedTypes?.createPolicy('default', { createHTML: (markup) => markup });

// shows the controls that need scripts
document.documentElement.dataset.scripts = '';
