import { hasRole } from '../../src/account/model.ts';
import { toStamp } from '../../src/base/clock.ts';
import { toJsonPieces } from '../../src/base/json/json-pieces.ts';
import { Pacer } from '../../src/base/pacer.ts';
import { withoutCredentials } from '../../src/oci/reference.ts';
import { isSvcError, type SvcError, svcError, toSvcError } from '../../src/text/error.ts';
import type { ApiAnswer, ApiRoute } from '../api/api-route.ts';
import { understand } from '../api/request/parse-request.ts';
import { type Exchange, isBrokenOff } from '../exchange.ts';
import type { BodyRoom } from '../shares/body-room.ts';
import { toHolder, toOriginHolder } from '../shares/holder.ts';
import type { Turns } from '../shares/turns.ts';
import { findFaults, noteFaults } from './faults.ts';
import { fieldsToRequest, listSecrets, type MirroredRequest, requireSingle } from './fields-to-body.ts';
import { resultName, showWithResult } from './kept-result.ts';
import type { PageCalls } from './page-call.ts';
import { toPageFrame } from './page-frame.ts';
import { toErrorPage } from './parts/error.ts';
import { fieldOf, readForm } from './read-form.ts';
import { withSaid } from './said.ts';
import type { Visitor, Visitors } from './session.ts';
import { toPath } from './to-href.ts';
import type {
  ActionCall,
  ActionRoute,
  Fields,
  Finding,
  MirrorAction,
  Outcome,
  Page,
  PageCall,
  PageRoute,
  UiParts,
  UiRoute,
} from './ui-route.ts';

/** Bytes of a form whose action has no mirror, or whose mirror has no body of its own. */
const formLimit = 65_536;
/** Bytes of a form that is kept over a sign-in. */
const keptLimit = 262_144;

type Params = Readonly<Record<string, string>>;

/** The result of an action: another path, or a page. */
export type Done =
  /** A file was sent. */
  | { readonly sent: true }
  | { readonly location: string; readonly cookies: readonly string[] }
  | {
      readonly page: Page;
      readonly call: PageCall;
      /** The visitor after the action: a sign-in changes it. */
      readonly visitor: Visitor;
      readonly cookies: readonly string[];
      /** Why the form is shown again. */
      readonly error?: SvcError;
    };

export interface RunAction {
  /** @throws the errors of `Visitors.forAction`, when the visitor was removed, demoted or signed out while the form arrived */
  run(action: ActionRoute, exchange: Exchange, params: Params, visitor: Visitor): Promise<Done>;
  /** The fields of a form whose session has ended, without secrets. @throws SVC-VAL-002 when they are too long to keep */
  readKept(action: ActionRoute, exchange: Exchange): Promise<Fields>;
}

interface RunParts {
  readonly routes: readonly UiRoute[];
  readonly apiRoutes: readonly ApiRoute[];
  readonly calls: PageCalls;
  readonly visitors: Visitors;
  readonly bodies: BodyRoom;
  readonly turns: Pick<Turns, 'take'>;
  readonly parts: Pick<UiParts, 'report' | 'store'>;
}

/** Typed text is longer as a form: each byte may become three. */
const toFormLimit = (limit: number | undefined): number => (limit ?? 1_048_576) * 3 + formLimit;

/** Whether a text has a private key, such as a certificate pasted with its key. */
const hasPrivateKey = (text: string): boolean => /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text);

/** Fields that have a reference: `reference`, `old-reference`. */
const isReference = /(?:^|-)reference$/;

/** The fields of a form as it may be shown again: without secrets, and with references that carry no credentials. */
function toShown(fields: Fields, secrets: ReadonlySet<string>): Fields {
  return new Map(
    [...fields]
      .filter(([name, values]) => !secrets.has(name) && !values.some(hasPrivateKey))
      .map(([name, values]) => [name, isReference.test(name) ? values.map(withoutCredentials) : values]),
  );
}

/** Whether an action that needs a preview does not name the one that was shown. */
function isUnconfirmed(
  { needsPreview = () => false, replacesShown }: MirrorAction,
  call: ActionCall,
): boolean {
  const rests = replacesShown === true || needsPreview === true || needsPreview(call);
  return rests && (fieldOf(call.fields, 'fingerprint') ?? '') === '';
}

/**
 * Takes the fingerprint of a shown value out of the fields: the API does not know it.
 *
 * @throws SVC-VAL-001 when it is given twice
 */
function splitShown(
  action: MirrorAction,
  fields: Fields,
): { readonly fields: Fields; readonly shown?: string } {
  const shown = action.replacesShown ? fieldOf(fields, 'fingerprint') : undefined;
  if (shown === undefined) return { fields };
  requireSingle(fields, (name) => name !== 'fingerprint');
  return { fields: new Map([...fields].filter(([name]) => name !== 'fingerprint')), shown };
}

/** The typed values of a form that is shown again; not over a value that another account has set meanwhile. */
function toKept(action: ActionRoute, fields: Fields, error: SvcError): Fields {
  const isStale = 'replacesShown' in action && action.replacesShown && error.code === 'SVC-SRV-007';
  return isStale ? new Map() : fields;
}

/** The page of an action that failed: with the preview as it is now, where that has changed. */
function showFailed(
  action: ActionRoute,
  route: PageRoute,
  call: PageCall,
  error: SvcError,
): Promise<Page> | Page {
  const anew = 'showAnew' in action && error.code === 'SVC-SRV-007' ? action.showAnew : undefined;
  return anew === undefined ? showWithResult({ ...call, route }) : anew(call);
}

/** An error of an operation, with the other wrong fields of its form. */
async function withOthers(action: MirrorAction, call: ActionCall, error: unknown): Promise<unknown> {
  if (action.beside === undefined || !isSvcError(error)) return error;
  const others = await action.beside(call, error);
  return noteFaults(error, new Map([...findFaults(error, call.fields, action.faulty), ...others]));
}

async function answerOf(
  { handler }: ApiRoute,
  action: MirrorAction,
  call: ActionCall,
  request: MirroredRequest & { readonly shown?: string },
): Promise<ApiAnswer> {
  try {
    return await handler({ ...call, ...request });
  } catch (error) {
    throw await withOthers(action, call, error);
  }
}

/** Bytes of a finding as JSON; it may have a document of megabytes. */
async function measure(finding: unknown): Promise<number> {
  const pacer = new Pacer();
  let bytes = 0;
  for (const piece of toJsonPieces(finding)) {
    bytes += Buffer.byteLength(piece);
    if (pacer.isDue()) await pacer.rest();
  }
  return bytes;
}

/** Keeps a finding for the session; a finding that is too large to keep is shown at once. */
async function keep(
  call: PageCall,
  path: string,
  { show, of }: Finding,
): Promise<{ readonly location: string } | { readonly show: Page; readonly call?: PageCall }> {
  const bytes = await measure(of);
  const name = call.results.hold(call.holder, { path, at: toStamp(), show, of }, bytes);
  return name === undefined
    ? { show: await show(call) }
    : { location: toPath(path, {}, { [resultName]: name }) };
}

/** Makes the function that runs the actions of forms: as the API does, under the same floor, checks and audit. */
export function createRunAction({
  routes,
  apiRoutes,
  calls,
  visitors,
  bodies,
  turns,
  parts,
}: RunParts): RunAction {
  const byId = new Map(apiRoutes.map((route) => [route.id, route]));
  const actions = new Map(
    routes.flatMap((route) => (route.method === 'POST' ? [[route.path, route] as const] : [])),
  );
  const mirrorOf = (action: ActionRoute): ApiRoute | undefined => {
    if (!('mirror' in action)) return undefined;
    const route = byId.get(action.mirror.id);
    if (route === undefined) throw new TypeError(`${action.mirror.id} has no handler`);
    return route;
  };

  const callMirror = async (
    action: MirrorAction,
    route: ApiRoute,
    call: ActionCall,
  ): Promise<Outcome | { readonly sent: true }> => {
    const { identity, exchange } = call;
    let { fields } = call;
    const checks = action.checks?.(call);
    if (isUnconfirmed(action, call)) {
      if (action.preview === undefined)
        throw svcError('SVC-SRV-007', { subject: exchange.path.slice(0, 512) });
      // a preview would stop at the first wrong field
      if (checks !== undefined) fieldsToRequest(route, splitShown(action, fields).fields, call.path, checks);
      const preview = await action.preview(call);
      if (preview !== undefined && !('fingerprint' in preview)) return preview;
      if (preview !== undefined) fields = new Map([...fields, ['fingerprint', [preview.fingerprint]]]);
    }
    const request = await understand(route, exchange, identity, call, () => {
      const { fields: own, shown } = splitShown(action, fields);
      const sent = action.complete?.(call) ?? own;
      return { ...fieldsToRequest(route, sent, call.path, checks), shown };
    });
    const answer = await answerOf(route, action, call, request);
    if (action.done !== undefined) return action.done(call, 'json' in answer ? answer.json : undefined);
    if ('sent' in answer) return answer;
    throw new TypeError(`the form of ${route.id} shows no answer`);
  };

  const read = (exchange: Exchange, limit: number, visitor?: Visitor): Promise<Fields> => {
    const { origin } = exchange;
    const holder = visitor?.signedIn ? toHolder(visitor.identity, origin) : toOriginHolder(origin);
    return readForm(exchange, limit, bodies.open(holder, exchange));
  };

  const limitOf = (action: ActionRoute, mirror: ApiRoute | undefined): number => {
    if ('run' in action && action.limit !== undefined) return toFormLimit(action.limit);
    return mirror?.body === undefined ? formLimit : toFormLimit(mirror.body.limit);
  };

  /** A form that cannot be read is audited as the request that it would have been. */
  const readForAction = (
    exchange: Exchange,
    action: ActionRoute,
    mirror: ApiRoute | undefined,
    visitor: Visitor,
  ): Promise<Fields> => {
    const work = () => read(exchange, limitOf(action, mirror), visitor);
    return mirror === undefined ? work() : understand(mirror, exchange, visitor.identity, parts, work);
  };

  return {
    readKept: async (action, exchange) => {
      const mirror = mirrorOf(action);
      const fields = await read(exchange, Math.min(keptLimit, limitOf(action, mirror)));
      return toShown(fields, listSecrets(mirror, action.secrets));
    },
    run: async (action, exchange, params, visitor) => {
      const mirror = mirrorOf(action);
      const route = calls.pageOf(action.page);
      let current = visitor;
      let fields: Fields = new Map();
      let refusal: unknown;
      const showAgain: ActionCall['showAgain'] = async (path, own, { identity, secret }, kept) => {
        const asked = actions.get(path);
        if (asked === undefined) throw svcError('SVC-SRV-002', { path: path.slice(0, 512) });
        const page = calls.pageOf(asked.page);
        const role = page.floor === 'public' ? 'viewer' : page.floor;
        if (!hasRole(identity.role, role)) throw svcError('SVC-AUTH-003', { role });
        current = { identity, signedIn: true, secret, cookies: [], sessionLeft: undefined };
        const call = calls.toCall(exchange, page, own, current, { fields: kept, wrong: new Map() });
        return { show: await page.page(call), call };
      };
      try {
        fields = await readForAction(exchange, action, mirror, visitor);
        // the credential may have been revoked, or its role lowered, while the body was received
        await visitors.forAction(exchange, action.floor).catch((error: unknown) => {
          refusal = error;
          throw error;
        });
        visitors.requireToken(exchange, visitor, fields);
        // fields that are kept over a sign-in may be lists
        if ('run' in action) requireSingle(fields, (name) => name === action.list || name.startsWith('_'));
        const call = calls.toCall(exchange, route, params, visitor);
        await turns.take(call.holder, exchange);
        const actionCall: ActionCall = { ...call, action, fields, showAgain };
        const found =
          'run' in action ? await action.run(actionCall) : await callMirror(action, mirror!, actionCall);
        if ('sent' in found) return found;
        const cookies = found.cookies ?? visitor.cookies;
        const outcome = 'keep' in found ? await keep(call, toPath(action.page, params), found.keep) : found;
        if ('location' in outcome)
          return {
            location: withSaid(call, outcome.location, 'said' in found ? found.said : undefined),
            cookies,
          };
        return { page: outcome.show, call: outcome.call ?? call, visitor: current, cookies };
      } catch (thrown) {
        // a visitor without the right to open the page of the form gets the refusal instead
        if (refusal !== undefined) throw refusal;
        if (isBrokenOff(exchange) || exchange.res.headersSent) throw thrown;
        const error = toSvcError(thrown);
        const { cookies } = visitor;
        if (action.isInHeader && visitor.signedIn) {
          const bare = calls.toCall(exchange, calls.pageOf('/'), {}, visitor);
          return { page: toErrorPage(bare, error, {}), call: bare, visitor, cookies, error };
        }
        const kept = toKept(action, fields, error);
        const posted = {
          fields: toShown(kept, listSecrets(mirror, action.secrets)),
          error,
          wrong: findFaults(error, fields, action.faulty),
        };
        const call = calls.toCall(exchange, route, params, visitor, posted);
        try {
          return { page: await showFailed(action, route, call, error), call, visitor, cookies, error };
        } catch {
          // the thing of the form is gone: the error of the action is shown without the form
          const bare = calls.toCall(exchange, route, params, visitor);
          const frame = toPageFrame(bare, routes);
          return { page: toErrorPage(bare, error, { frame }), call: bare, visitor, cookies, error };
        }
      }
    },
  };
}
