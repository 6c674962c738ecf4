import { stringify } from 'yaml';

/** A document as YAML; long lines stay whole. */
export function renderYaml(document: unknown): string {
  return stringify(document, { lineWidth: 0 });
}
