/** A refused recipe in the list `refused` of a line. */
export const toRefused = ({ name, code }: { readonly name: string; readonly code: string }): string =>
  `${code} ${name}`;

const refused = /^(SVC-[A-Z]{2,8}-[0-9]{3}) (.*)$/s;

/** The codes for which a line says that recipes were refused, by their names. @param details untrusted */
export function readRefused({
  details,
}: {
  readonly details: Readonly<Record<string, unknown>>;
}): ReadonlyMap<string, string> {
  const texts = Array.isArray(details.refused) ? details.refused.map(String) : [];
  return new Map(
    texts.flatMap((text) => {
      const [, code, name] = refused.exec(text) ?? [];
      return code === undefined || name === undefined ? [] : [[name, code] as const];
    }),
  );
}
