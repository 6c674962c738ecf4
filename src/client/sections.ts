/** The lines of a file, each with the section of an INI file, or the item of helm's list, that has it. */
export function withSections(text: string): { readonly section: string; readonly line: string }[] {
  let section = '';
  return text.split('\n').map((line) => {
    if (/^\[.*\]$/.test(line) || /^ *- name: /.test(line)) section = line;
    return { section, line };
  });
}
