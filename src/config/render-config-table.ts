import { configEntries } from './schema.ts';

/** Renders the reference table of the documentation in Markdown. */
export function renderConfigTable(): string {
  const rows = [
    ['Key', 'Type', 'Default', 'Variable', 'Flag', 'Meaning'],
    ['---', '---', '---', '---', '---', '---'],
  ];
  for (const { key, type, fields, env, flag, doc, default: preset, defaultLabel } of configEntries) {
    const shown = defaultLabel ?? formatDefault(preset === undefined ? undefined : type.format(preset));
    rows.push([code(key), type.label, shown, env ? code(env) : 'file only', flag ? code(flag) : '', doc]);
    for (const field of fields ?? []) {
      const label = field.required ? 'required' : formatDefault(field.default);
      rows.push([code(`${key}[].${field.name}`), field.type.label, label, 'file only', '', field.doc]);
    }
  }
  return `${rows.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n')}\n`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function formatDefault(value: unknown): string {
  if (value === undefined) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (typeof value === 'object') return 'none';
  return code(String(value));
}
