import type { Identity, Role } from '../../src/account/model.ts';
import type { TlsPair } from '../../src/certificate/tls-pair.ts';
import type { Accent, Pattern } from '../../src/config/ui-band.ts';
import type { Operation, PageField, PathOf, QueryOf } from '../../src/contract/operation.ts';
import type { SvcError } from '../../src/text/error.ts';
import type { ErrorCode } from '../../src/text/errors/registry.ts';
import type { Language } from '../../src/text/message.ts';
import type { Counted, Sentence, WordParams, Words } from '../../src/text/words/words.ts';
import type { ApiCall, ApiParts, Query, Texts } from '../api/api-route.ts';
import type { Held } from './held.ts';
import type { Html } from './html.ts';

export const themes = ['auto', 'light', 'dark', 'contrast'] as const;
export type Theme = (typeof themes)[number];
/** Heights of the rows of all tables. */
export const rowHeights = ['comfortable', 'compact'] as const;
export type RowHeight = (typeof rowHeights)[number];

/** The configuration of the interface besides the parts of the API. */
export interface UiSettings {
  /** Cookies are marked Secure although the listener speaks plain HTTP. */
  readonly secureCookies: boolean;
  /** Shows navigation entries of planned pages. */
  readonly showUpcoming: boolean;
  /** Band above the pages. Default: by the side of the instance. */
  readonly accent?: Accent | undefined;
  readonly pattern?: Pattern | undefined;
  /** The style sheet of the operator. */
  readonly themeOverride?: Buffer | undefined;
  /** As `svc version` prints them. */
  readonly build: { readonly commit: string; readonly date: string };
}

/** A new token, as the API answers it. */
export interface CreatedToken {
  readonly name: string;
  readonly role: string;
  readonly secret: string;
}

/** A message about a finished action. It is kept as words, so that another language says it too. */
export interface Said {
  readonly text: Sentence | Counted;
  readonly params?: WordParams;
}

/** The finding of an action, shown by the page of the action: reloading that page does not repeat the action. */
export interface KeptResult {
  /** Path of the page that shows it. */
  readonly path: string;
  /** RFC 3339. */
  readonly at: string;
  readonly show: (call: PageCall) => Promise<Page> | Page;
  /** The value that is shown. */
  readonly of: unknown;
}

/** Values that wait in memory between two requests of one account. */
export interface HeldParts {
  /** Certificates with their keys, between a preview and its confirmation. */
  readonly pairs: Held<TlsPair>;
  /** Results of plans, previews and inspections. */
  readonly results: Held<KeptResult>;
  /** Messages for the next page. */
  readonly said: Held<Said>;
  /** Tokens whose secret is shown by the page that their creation leads to. */
  readonly secrets: Held<CreatedToken>;
}

export interface UiParts extends ApiParts, HeldParts {
  readonly settings: UiSettings;
}

/**
 * A rule of an operation for the text of a member, beyond its schema: it throws for a text that breaks it.
 *
 * @param items those of a list, whose text has one on each line
 */
export type Check = (text: string, items: readonly string[]) => unknown;

/** Fields of a form as they were sent; each name with its values, in order. */
export type Fields = ReadonlyMap<string, readonly string[]>;

/** The wrong fields of a form, by name, each with its error. */
export type Faults = ReadonlyMap<string, SvcError>;

/** The field that an error of an action is about, by the code of the error. SVC-VAL-001 names its own. */
export type FaultyFields = Partial<
  Readonly<Record<ErrorCode, string | ((fields: Fields) => string | undefined)>>
>;

/** The input of a form that is shown again. */
export interface Posted {
  /** The typed values, without secrets. */
  readonly fields: Fields;
  /** Why it was not done; absent when the form is shown again after signing in. */
  readonly error?: SvcError;
  /** The fields that the error is about. */
  readonly wrong: Faults;
}

/** One request for a page, with everything a page needs: parts of the API, the visitor, and the words. */
export interface PageCall<Q = Query, P = Texts> extends ApiCall<P, Q>, HeldParts {
  readonly settings: UiSettings;
  readonly route: PageRoute;
  /** All pages of the interface. */
  readonly pages: readonly PageRoute[];
  readonly words: Words;
  readonly theme: Theme;
  readonly rowHeight: RowHeight;
  /** Whether `identity` is of an account; on public pages it may be of an unknown visitor. */
  readonly signedIn: boolean;
  /** Whether the role of the visitor includes this one. */
  can(role: Role): boolean;
  /** The query as it was sent, with the parameters that the page does not declare. */
  readonly search: URLSearchParams;
  /** Parameters of the query that break a rule, with their errors: `query` lacks them, and the filter form shows them. */
  readonly wrong?: Faults | undefined;
  /** Path and query of the page, for links back to it. */
  readonly here: string;
  /** A form of this page that is shown again. */
  readonly posted?: Posted | undefined;
  /** The value of a typed field, or the default: for `value` attributes of a form that may be shown again. */
  field(name: string, otherwise?: string): string;
  /** Milliseconds for which the session lives on; undefined without one. */
  readonly sessionLeft: number | undefined;
}

/** A part of a page that can be asked for by itself and is then answered 304 while it does not change. */
export interface Section {
  /** Unique in the page; letters, digits and `-`. */
  readonly id: string;
  readonly html: Html;
  /** Name of the section for screen readers. Without it the section is no landmark. */
  readonly label?: string;
  /** Seconds after which the browser asks for it again. Absent: it does not change any more. */
  readonly every?: number;
  /** One sentence read out by screen readers when it differs from the last one: change it rarely. */
  readonly status?: string;
  /** The column of the section in a wide window. Consecutive sections with a column share the two columns. */
  readonly column?: 1 | 2;
}

export interface Page {
  /** Names the thing: text of `<title>`, and of `<h1>` unless `heading` is given. */
  readonly title: string;
  readonly heading?: Html;
  /** A line under the heading. */
  readonly lead?: Html | string;
  /** The way here, from the top: text and path. */
  readonly crumbs?: readonly (readonly [text: string, path: string])[];
  readonly sections: readonly Section[];
  /** The page is kept, and its sections never change: they are rendered and compressed once. They have no form. */
  readonly isFixed?: true;
  /** A path of this instance that is shown in place of the page (303). */
  readonly location?: string;
  /** HTTP status; 200 unless told. */
  readonly status?: number;
  /** Headers that an error requires: when to try again, which methods there are. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * `columns` shows short sections beside each other, where the window is wide. The first section of a `board` is the heading;
   * `plain` has no navigation (sign-in); `paper` is for printing.
   */
  readonly layout?: 'normal' | 'columns' | 'board' | 'plain' | 'paper';
  /**
   * Of a page that is a record: rows of its head on paper, after the instance, the reader and the time, which stand in the
   * foot of each sheet too.
   */
  readonly paper?: readonly (readonly [label: string, value: string])[];
  /** The input of a GET form of the page that was refused, with its error. */
  readonly refused?: Posted | undefined;
  /** The page words the error of its form itself; the shell does not show it again. */
  readonly showsError?: boolean;
  /** Seconds after which a browser without scripts loads the page again. */
  readonly reload?: number;
}

/** A page for an unknown visitor: an error before the identification. */
export interface BarePage {
  readonly language: Language;
  readonly title: string;
  readonly status: number;
  readonly theme: Theme;
  readonly headers: Readonly<Record<string, string>>;
  /** Above the page. */
  readonly notices: Html | string;
  readonly html: Html;
}

/** The query parameters that a page checks, by name. */
export type PageFields = Readonly<Record<string, PageField>>;

export interface PageRoute {
  readonly method: 'GET';
  /** Parameters in braces, as routes of the API have them. */
  readonly path: string;
  /** The role from which on it is open; `public` asks for no sign-in. */
  readonly floor: Role | 'public';
  readonly title: Sentence;
  /** Query parameters that are checked; take the fields of the operation, so that both accept the same. */
  readonly query?: PageFields;
  readonly page: (call: PageCall) => Promise<Page> | Page;
}

/** A page with the types that its own declaration gives to its call. */
interface TypedPage<P extends string, Q extends PageFields>
  extends Omit<PageRoute, 'path' | 'query' | 'page'> {
  readonly path: P;
  readonly query?: Q;
  readonly page: (call: PageCall<QueryOf<Q>, PathOf<P>>) => Promise<Page> | Page;
}

/** Declares a page. Its path and its query type the call that it is made from. */
export function page<const P extends string, const Q extends PageFields = Readonly<Record<never, never>>>(
  declared: TypedPage<P, Q>,
): PageRoute {
  // requests reach the page after they were checked against this very declaration
  return declared as unknown as PageRoute;
}

/** A small file that a page offers; larger ones are answers of the API, which a session may read. */
export interface FileRoute {
  readonly method: 'GET';
  readonly path: string;
  readonly floor: Role;
  readonly file: (call: PageCall) => {
    readonly name: string;
    readonly contentType: string;
    readonly content: string;
  };
}

/** The finding of an action, for the page of the action. */
export interface Finding {
  readonly show: (call: PageCall) => Promise<Page> | Page;
  /** The value that `show` needs, for its size in memory: JSON. */
  readonly of: unknown;
}

/** A file of any size and content, which the browser saves and no other site may ask for. */
export interface DownloadRoute {
  readonly method: 'GET';
  readonly path: string;
  readonly floor: Role;
  readonly query: PageFields;
  readonly download: (call: PageCall) => Promise<void>;
}

/**
 * The outcome of an action: a path of this instance (303), with a message for its page. Or a finding, kept for the
 * session, for a page of its own (303), so that going back and loading again send no form. Or a page that is shown at
 * once.
 */
export type Outcome =
  | { readonly location: string; readonly said?: Said; readonly cookies?: readonly string[] }
  | { readonly keep: Finding; readonly cookies?: readonly string[] }
  | { readonly show: Page; readonly call?: PageCall; readonly cookies?: readonly string[] };

interface ActionBase {
  readonly method: 'POST';
  readonly path: string;
  readonly floor: Role | 'public';
  /** Path of the page that has the form: shown again with the typed values when the action fails. */
  readonly page: string;
  /** The form is in the header of every page: a signed-in visitor sees its error without a form. */
  readonly isInHeader?: true;
  readonly faulty?: FaultyFields;
  /** Fields that are never shown again, besides those that the schema of the mirror marks as passwords. */
  readonly secrets?: readonly string[];
}

/** An operation whose answer has this type. */
type Mirrored<A> = Operation<string, Operation['query'], unknown, A>;

/**
 * A form post that becomes a request of the API. Fields have the names of members of the body, or of parameters of the
 * path or of the query. A name that begins with `_` is the page's own.
 */
export interface MirrorAction<A = unknown> extends ActionBase {
  readonly mirror: Mirrored<A>;
  /**
   * The action removes or replaces the content of a preview: a form without the `fingerprint` of that preview does nothing.
   * A function says so by the fields.
   */
  readonly needsPreview?: true | ((call: ActionCall) => boolean);
  /**
   * The form replaces a value that its page shows, and carries the `fingerprint` of that value. Without it, or when the
   * value has changed meanwhile, nothing is done. The form is then shown again with the present value. The API has no
   * such member: a client that sends a value means it.
   */
  readonly replacesShown?: true;
  /**
   * Makes the preview for a form that names none: the page on which it is confirmed. For a preview with nothing to show
   * it is the fingerprint, and the action is done at once. Undefined: there is none, and the action needs none to leave
   * everything where it is. Without this function, such a form is refused.
   */
  readonly preview?: (
    call: ActionCall,
  ) => Promise<
    { readonly show: Page } | { readonly keep: Finding } | { readonly fingerprint: string } | undefined
  >;
  /**
   * Makes the page that is shown when the preview no longer holds: with the preview as it is now. Without it, `page` is
   * shown, which has one.
   */
  readonly showAnew?: (call: PageCall) => Promise<Page>;
  /** Rules of the operation for the texts of fields, by name: one answer names all wrong fields of a form. */
  readonly checks?: (call: ActionCall) => Readonly<Record<string, Check>>;
  /** Further wrong fields, after the operation refused one: it alone can judge a password, or reads documents one by one. */
  readonly beside?: (call: ActionCall, error: SvcError) => Promise<Faults> | Faults;
  /** Adds to the fields the values that the form left in the memory of the instance. */
  readonly complete?: (call: ActionCall) => Fields;
  /**
   * Absent where the handler of the operation sends a file, which the browser saves.
   *
   * @param answer the JSON of the API's answer; undefined when it has none
   */
  readonly done?: (call: ActionCall, answer: A) => Promise<Outcome> | Outcome;
}

/** Declares the form post of an operation, with its floor. The record types the answer. */
export function action<A>(
  mirror: Mirrored<A>,
  declared: Omit<MirrorAction<A>, 'mirror' | 'method' | 'floor'>,
): MirrorAction {
  // the handler of the operation makes the answer
  return { method: 'POST', floor: mirror.floor, mirror, ...declared } as MirrorAction;
}

/** A form post of the interface itself: sign-in, language, theme. */
export interface OwnAction extends ActionBase {
  /** Bytes that the fields may have; without it, those of a short form. */
  readonly limit?: number;
  /** The field that may be given several times, such as that of boxes. */
  readonly list?: string;
  readonly run: (call: ActionCall) => Promise<Outcome> | Outcome;
}

export type ActionRoute = MirrorAction | OwnAction;
export type UiRoute = PageRoute | FileRoute | DownloadRoute | ActionRoute;

export const isPage = (route: UiRoute): route is PageRoute => 'page' in route && route.method === 'GET';

export interface ActionCall extends PageCall {
  readonly action: ActionRoute;
  readonly fields: Fields;
  /**
   * Shows the page of an action again after a sign-in, with its form filled.
   *
   * @param secret of the new session
   * @throws SVC-SRV-002 when no action has this path, SVC-AUTH-003 when the account may not open its page
   */
  showAgain(
    path: string,
    params: Readonly<Record<string, string>>,
    signedIn: { readonly identity: Identity; readonly secret: string },
    fields: Fields,
  ): Promise<Outcome>;
}
