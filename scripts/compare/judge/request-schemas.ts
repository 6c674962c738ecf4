/** Names of schemas that a node refers to. */
function* referencesOf(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    const name = key === '$ref' && /^#\/components\/schemas\/(.+)$/.exec(String(value))?.[1];
    if (name) yield name;
    else yield* referencesOf(value);
  }
}

function* requestsOf(node: unknown): Generator<unknown> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node))
    if (key === 'requestBody' || key === 'parameters') yield value;
    else yield* requestsOf(value);
}

/** Names of the component schemas that requests consist of, in any of these OpenAPI documents. */
export function listRequestSchemas(...documents: readonly unknown[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const document of documents) {
    const { components, paths } = document as {
      components?: { schemas?: Record<string, unknown> };
      paths?: unknown;
    };
    const waiting = [...requestsOf(paths)].flatMap((request) => [...referencesOf(request)]);
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (names.has(name)) continue;
      names.add(name);
      waiting.push(...referencesOf(components?.schemas?.[name]));
    }
  }
  return names;
}
