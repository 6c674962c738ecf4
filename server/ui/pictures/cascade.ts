import { overview } from '../../../src/text/words/overview.ts';
import type { Origin } from '../../views/origins.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../parts/icons.ts';
import { untrusted } from '../parts/text.ts';
import type { PageCall } from '../ui-route.ts';

/** Where content goes from here. */
export interface CascadeEnd {
  readonly kind: 'destination' | 'medium' | 'clients';
  /** Its name, for readers with the right to see it. */
  readonly name?: string;
}

export interface Cascade {
  readonly origins: readonly Origin[];
  /** The medium that carries everything here, in place of hosts. */
  readonly medium?: { readonly id: string; readonly importedAt?: string };
  readonly zone: string;
  readonly isMirror: boolean;
  readonly bytes: number;
  readonly recipes: number;
  readonly end: CascadeEnd;
  /** Nothing is known of the content while it is unverified. */
  readonly isClosed: boolean;
}

/** Origins shown by themselves; the others are one line. */
const shown = 5;

/** An arrow, the thicker the more bytes. @param share of all bytes, from 0 to 1; undefined for a thin dashed one */
function flow(share: number | undefined): Html {
  const width = share === undefined ? 2 : Math.round(2 + share * 6);
  return html`<svg class="flow" viewBox="0 0 48 16" width="48" height="16" aria-hidden="true" focusable="false"><line class="${share === undefined ? 'flow-none' : 'flow-line'}" x1="0" y1="8" x2="38" y2="8" stroke-width="${width}"/><path class="flow-head" d="M36 1l11 7-11 7z"/></svg>`;
}

const nodeOf = (kind: string, name: Html | string, ...lines: readonly (Html | string)[]): Html =>
  html`<div class="node node-${kind}"><p class="node-name">${name}</p>${lines.map((line) => html`<p class="node-line">${line}</p>`)}</div>`;

function routes({ words: { say } }: PageCall, { origins, medium }: Cascade): Html {
  const total = origins.reduce((sum, { bytes }) => sum + bytes, 0);
  const route = ({ host, vias, repositories, bytes }: Origin): Html => {
    const share = total === 0 ? 0 : bytes / total;
    const isPlain = vias.every((via) => via === host);
    const between =
      medium !== undefined
        ? html`<p class="node-line">${say(overview.onMedium)}</p>`
        : isPlain
          ? html`<p class="node-line">${say(vias.length === 0 ? overview.unknown : overview.direct)}</p>`
          : html`<div class="node node-via">${vias.map((via) => html`<p class="node-name">${via === host ? say(overview.direct) : untrusted(via)}</p>`)}</div>`;
    return html`<li class="route">${nodeOf('origin', untrusted(host), say(overview.held, { count: repositories, bytes }))}${flow(share)}<div><span class="visually-hidden">${say(overview.via)}: </span>${between}</div></li>\n`;
  };
  const rest = origins.length - shown;
  return html`<ul class="routes">${origins.slice(0, shown).map(route)}</ul>${rest > 0 ? html`<p class="muted">${say(overview.moreOrigins, { count: rest })}</p>` : ''}`;
}

const endWords = {
  destination: [overview.destination, overview.destinationLine],
  medium: [overview.medium, overview.mediumLine],
  clients: [overview.clients, overview.clientsLine],
} as const;

/** The way of the content: origins, through which host or medium, this zone, and where it goes from here. */
export function cascade(call: PageCall, picture: Cascade): Html {
  const { say, format } = call.words;
  const { origins, medium, zone, isMirror, bytes, recipes, end, isClosed } = picture;
  const [endTitle, endLine] = endWords[end.kind];
  const nothing = say(
    isClosed ? overview.originsClosed : recipes > 0 ? overview.originsPending : overview.noOrigins,
  );
  const carried =
    medium === undefined
      ? ''
      : nodeOf(
          'medium',
          html`${say(overview.medium)} <span class="code">${untrusted(medium.id)}</span>`,
          medium.importedAt === undefined
            ? say(overview.neverImported)
            : say(overview.importedAt, { time: format.time(medium.importedAt) }),
        );
  return html`<ol class="cascade">
<li class="cascade-sources"><div class="cascade-heads"><h3>${say(overview.origins)}</h3><h3 class="cascade-via">${say(overview.via)}</h3></div>
${origins.length === 0 ? html`<div class="node node-none"><p class="node-line">${nothing}</p></div>` : routes(call, picture)}
${carried}</li>
<li class="cascade-step">${flow(origins.length === 0 ? undefined : 1)}<div class="cascade-stop"><h3>${say(isMirror ? overview.thisMirror : overview.thisZone)}</h3>
${nodeOf('zone', html`${icon('home')} ${untrusted(zone)}`, format.size(bytes), say(overview.recipesHere, { count: recipes }))}</div></li>
<li class="cascade-step">${flow(recipes === 0 || isClosed ? undefined : 1)}<div class="cascade-stop"><h3>${say(endTitle)}</h3>
${nodeOf(end.kind, end.name === undefined ? say(endTitle) : untrusted(end.name), say(endLine))}</div></li>
</ol>`;
}
