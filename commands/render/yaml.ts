import { stringify } from 'yaml';

/** Renders a document as YAML. Long lines are not folded. */
export function renderYaml(document: unknown): string {
  return stringify(document, { lineWidth: 0 });
}
