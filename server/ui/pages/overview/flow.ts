import { deliveries } from '../../../../src/text/words/delivering/deliveries.ts';
import { overview } from '../../../../src/text/words/overview.ts';
import type { Origin } from '../../../views/origins.ts';
import { type Html, html } from '../../html.ts';
import { bar } from '../../parts/bar.ts';
import { type Column, facts, table } from '../../parts/table.ts';
import { code, untrusted } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';

/** Where content goes from here. */
export interface FlowEnd {
  readonly kind: 'destination' | 'medium' | 'clients';
  /** Its name, for readers with the right to see it. */
  readonly name?: string | undefined;
}

export interface Flow {
  readonly origins: readonly Origin[];
  /** The medium that carries everything here, in place of hosts. */
  readonly medium?: {
    readonly id: string;
    readonly importedAt?: string;
    /** Whether other media brought its recipes. */
    readonly isByOthers?: boolean;
  };
  readonly recipes: number;
  readonly end: FlowEnd;
  /** Nothing is known of the content while it is unverified. */
  readonly isClosed: boolean;
}

/** Origins shown by themselves; the others are one line. */
const shown = 5;

/** The hosts that content comes from, each with the one that was contacted for it, and its share of all bytes. */
function originTable({ words: { say, format } }: PageCall, { origins, medium }: Flow): Html {
  const total = origins.reduce((sum, { bytes }) => sum + bytes, 0);
  const contacted: Column<Origin> = {
    label: say(overview.via),
    cell: ({ host, vias }) =>
      vias.length === 0
        ? say(overview.unknown)
        : html`${vias.map((via) => html`<div>${via === host ? say(overview.direct) : untrusted(via)}</div>`)}`,
  };
  const rest = origins.length - shown;
  return html`${table<Origin>({
    caption: say(overview.origins),
    empty: '',
    rows: origins.slice(0, shown),
    columns: [
      { label: say(overview.origins), isHeader: true, cell: ({ host }) => untrusted(host) },
      ...(medium === undefined && origins.some(({ vias }) => vias.length > 0) ? [contacted] : []),
      {
        label: say(overview.share),
        isLead: true,
        cell: ({ bytes }) =>
          bar({ thin: true, parts: [{ kind: 'done', share: total === 0 ? 0 : bytes / total }] }),
      },
      {
        label: say(overview.repositories),
        isNumber: true,
        cell: ({ repositories }) => format.number(repositories),
      },
      { label: say(overview.size), isNumber: true, cell: ({ bytes }) => format.size(bytes) },
    ],
  })}${rest > 0 ? html`<p class="muted">${say(overview.moreOrigins, { count: rest })}</p>` : ''}`;
}

const endLines = {
  destination: overview.destinationLine,
  medium: overview.mediumLine,
  clients: overview.clientsLine,
} as const;

/** Where the content comes from, through which hosts or medium, and where it goes from here. */
export function flowOf(call: PageCall, flow: Flow): Html {
  const { say, format } = call.words;
  const { origins, medium, recipes, end, isClosed } = flow;
  const nothing = say(
    isClosed ? overview.originsClosed : recipes > 0 ? overview.originsPending : overview.noOrigins,
  );
  const sayImport = ({ importedAt: at, isByOthers }: NonNullable<Flow['medium']>): string =>
    at !== undefined
      ? say(overview.importedAt, { time: format.time(at) })
      : say(isByOthers ? deliveries.byOthers : overview.neverImported);
  return html`${origins.length === 0 ? html`<div class="empty"><p>${nothing}</p></div>` : originTable(call, flow)}
${facts([
  ...(medium === undefined
    ? []
    : [[say(overview.comesOn), html`${code(medium.id)}, ${sayImport(medium)}`] as const]),
  [
    say(overview.destination),
    html`${end.name === undefined ? '' : html`${untrusted(end.name)}, `}${say(endLines[end.kind])}`,
  ],
])}`;
}
