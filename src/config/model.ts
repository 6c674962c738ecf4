import type { LogLevel } from '../base/report.ts';
import type { Accent, Pattern } from './ui-band.ts';

type Mode = 'passthrough' | 'mirror';

/** The merged configuration, key for key as the document writes it. Durations in milliseconds, sizes in bytes. */
export interface Config {
  readonly mode?: Mode;
  readonly zone?: string;
  readonly storage: {
    readonly create?: boolean;
    readonly root?: string;
    readonly basePrefix?: string;
    readonly occupancyThreshold?: number;
  };
  readonly state: { readonly root?: string };
  readonly server: {
    readonly addr: string;
    readonly publicURL?: string;
    readonly secureCookies: boolean;
    readonly trustedProxies: readonly string[];
    readonly tls: {
      readonly enabled: boolean;
      readonly certFile?: string;
      readonly keyFile?: string;
      readonly hosts: readonly string[];
    };
  };
  readonly auth: {
    readonly disabled: boolean;
    readonly sessionTTL: number;
    readonly passwordMinLength: number;
    readonly historyRole: 'viewer' | 'operator' | 'admin';
  };
  readonly network: {
    readonly proxy: {
      readonly url?: string;
      readonly httpsURL?: string;
      readonly noProxy: readonly string[];
      readonly username?: string;
      readonly password?: string;
    };
    readonly tls: {
      readonly caFiles: readonly string[];
      readonly ca?: string;
      readonly exclusiveTrust: boolean;
    };
    /** Bytes a second; 0 and absent: unlimited. */
    readonly rateLimit?: number;
  };
  readonly registries: {
    readonly insecure: readonly string[];
    readonly substitutions: Readonly<Record<string, string>>;
    /** Absent: unrestricted. Empty: nothing is allowed. */
    readonly allowlist?: readonly string[];
    readonly credentialsFile?: string;
  };
  readonly retriever: { readonly source?: string };
  readonly destination: { readonly registry?: string; readonly basePath?: string; readonly cookbook: string };
  readonly sync: {
    readonly parallelism: number;
    readonly retries: number;
    readonly interval: number;
    /** Each `HH:MM-HH:MM`; absent: always. */
    readonly windows?: readonly string[];
    readonly timeZone: string;
    readonly prune: boolean;
  };
  readonly import: { readonly inspectTimeout: number };
  readonly transfer: { readonly resumeThreshold: number };
  readonly preflight: { readonly safetyMarginPercent: number; readonly disabled: boolean };
  readonly tasks: { readonly keepFinished: number };
  /** Bytes. */
  readonly audit: { readonly keep: number };
  readonly trust: {
    readonly roots: readonly {
      readonly name: string;
      readonly key?: string;
      readonly keyFile?: string;
      readonly keyURL?: string;
      readonly predicates?: readonly string[];
    }[];
    readonly scopes: readonly {
      readonly name: string;
      readonly repositories: readonly string[];
      readonly allowUnsigned: boolean;
      readonly roots?: readonly string[];
    }[];
  };
  readonly signing: { readonly keyFile?: string; readonly passwordFile?: string };
  readonly peers: readonly {
    readonly name: string;
    readonly keyFile: string;
    readonly for: readonly ('receipt' | 'passport' | 'checkpoint' | 'approval')[];
  }[];
  readonly zones: readonly {
    readonly name: string;
    readonly retriever: string;
    /** Default: the peer with the name of the zone. */
    readonly peer?: string;
    readonly maxAge: number;
  }[];
  /** Default of `site`: the zone of the configuration, also where a flag names another one. */
  readonly custody: { readonly enabled: boolean; readonly site?: string };
  readonly media: { readonly requirePassport: boolean };
  readonly files: {
    readonly packRoots: readonly string[];
    readonly filesets: readonly {
      readonly name: string;
      readonly ref: string;
      readonly version?: string;
      readonly platform?: string;
      readonly anonymous: boolean;
    }[];
    readonly views: readonly {
      readonly name: string;
      readonly kind: 'helm';
      readonly repositories: readonly string[];
      readonly anonymous: boolean;
    }[];
  };
  readonly ui: {
    readonly themeOverride?: string;
    readonly showUpcoming: boolean;
    /** Default of both: by the side of the instance. */
    readonly accent?: Accent;
    readonly pattern?: Pattern;
  };
  readonly logging: {
    readonly level: LogLevel;
    readonly media: {
      readonly file: string;
      readonly maxSize: number;
      readonly keep: number;
      readonly disabled: boolean;
    };
  };
  readonly shutdown: { readonly gracePeriod: number };
}
