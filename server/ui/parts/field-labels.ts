/** Labels of the fields of a form that is shown again, as they are made: its error is worded with them. */
const labels = new WeakMap<object, Map<string, string>>();

/** Notes the label of a form's field. @param posted the input of the form, or the wrong parameters of its query */
export function noteLabel(posted: object | undefined, name: string, label: string): void {
  if (posted === undefined) return;
  const known = labels.get(posted) ?? new Map<string, string>();
  labels.set(posted, known.set(name, label));
}

/** The label of a field; undefined when the page does not have the field. */
export function labelOf(posted: object | undefined, name: string): string | undefined {
  return posted && labels.get(posted)?.get(name);
}
