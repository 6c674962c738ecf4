import { sayConcealed } from '../../../../src/text/secrets/concealed.ts';
import { describeRetriever } from '../../../views/retriever.ts';
import type { PageCall } from '../../ui-route.ts';

/** The configured Retriever. A path is for administrators, and the name of its setting tells others nothing. */
export function saySource(call: PageCall): string | undefined {
  const { source } = describeRetriever(call);
  if (source === undefined || call.can('admin') || source.includes('://')) return source;
  return sayConcealed('<retriever.source>', call.words.language);
}
