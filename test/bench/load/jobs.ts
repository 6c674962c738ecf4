// The orders to the load client and its answers, over the channel between two processes.

interface At {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  readonly authorization?: string | undefined;
  /** The host speaks TLS; its name is that of the host. */
  readonly tls?: boolean;
}

/** Gets one blob over so many connections at once; `digest` is checked when `verify` asks for it. */
export interface PullJob extends At {
  readonly job: 'pull';
  readonly path: string;
  readonly connections: number;
  readonly verify?: string;
}

/** Pushes one blob of `size` bytes that no registry has seen, whole or in chunks, and the manifest that keeps it. */
export interface PushJob extends At {
  readonly job: 'push';
  readonly repository: string;
  readonly size: number;
  /** Bytes of a chunk; absent: one PUT. */
  readonly chunk?: number;
  /** Makes the content. */
  readonly seed: string;
  /** Bytes of a second, that are pushed before and not measured. */
  readonly warmUp?: number;
}

/** Gets the same small thing over and over. */
export interface RepeatJob extends At {
  readonly job: 'repeat';
  readonly paths: readonly string[];
  readonly accept: string;
  readonly connections: number;
  readonly milliseconds: number;
}

/** Pushes small images, each unlike every other, over so many connections at once. */
export interface ImagesJob extends At {
  readonly job: 'images';
  readonly images: number;
  readonly layers: number;
  readonly layerBytes: number;
  readonly connections: number;
  readonly seed: string;
}

export type MixKind = 'pull' | 'push' | 'list' | 'api' | 'page';

/** Many clients of different kinds at once, each over its own connection, one request after the other. */
export interface MixJob extends At {
  readonly job: 'mix';
  /** Number of clients of each kind. */
  readonly clients: Readonly<Record<MixKind, number>>;
  /** Paths of a manifest and of a blob of it. */
  readonly pulls: readonly { readonly manifest: string; readonly blob: string }[];
  readonly lists: readonly string[];
  readonly calls: readonly string[];
  readonly pages: readonly string[];
  readonly milliseconds: number;
  /** Makes the pushed content. */
  readonly seed: string;
}

/** Many nodes at once, each of which pulls the same images over a connection of its own, as they want them: a manifest first. */
export interface NodesJob extends At {
  readonly job: 'nodes';
  readonly nodes: number;
  readonly images: readonly { readonly manifest: string; readonly blobs: readonly string[] }[];
}

export type Job = PullJob | PushJob | RepeatJob | ImagesJob | MixJob | NodesJob;

export interface JobResult {
  readonly seconds: number;
  readonly bytes: number;
  readonly requests: number;
  /** Milliseconds that one request of a hundred exceeds. */
  readonly p99?: number;
  /** The same of each kind of clients. */
  readonly p99s?: Readonly<Record<string, number>>;
  /** Requests with another status than the right one, and connections that were lost. */
  readonly failed?: number;
  /** The first of them. */
  readonly errors?: readonly string[];
  /** Requests that were sent again, since the server was away or did not answer in full. */
  readonly repeated?: number;
  /** Digest of the pushed manifest. */
  readonly digest?: string;
}
