import { describeKey } from '../../src/attest/public-key.ts';
import { fr, speak } from '../../src/text/language.ts';
import type { TrustPolicy } from '../../src/trust/model.ts';
import type { TrustRootSource } from '../../src/trust/roots.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';

export class TrustShowCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Reads the configuration and the keys that it names; nothing is fetched. A root configured by URL has a fingerprint once its key was copied into the state folder, at the first start of the instance. Compare the fingerprints with those that the signer publishes by another way. Peers are other instances of the configuration: they approve no recipe.',
        fr`Lit la configuration et les clés qu’elle nomme ; rien n’est téléchargé. Une racine configurée par URL n’a une empreinte qu’une fois sa clé copiée dans le dossier d’état, au premier démarrage de l’instance. Comparez les empreintes avec celles que le signataire publie par une autre voie. Les pairs sont d’autres instances de la configuration : ils n’approuvent aucune recette.`,
      ],
    ],
    examples: [
      [
        ['The roots and scopes in force', fr`Les racines et portées en vigueur`],
        'svc trust show --config /etc/svc/config.yaml',
      ],
      [
        ['The fingerprints for a script', fr`Les empreintes pour un script`],
        "svc trust show --output json | jq -r '.roots[].fingerprint'",
      ],
    ],
  };

  async run(): Promise<number> {
    const { config } = await this.loadConfig('trust');
    const { loadConfiguredPeers, loadPolicy } = await import('../../src/operation/load-policy.ts');
    const policy = await loadPolicy(config, await this.openReport());
    const roots = config.trust.roots.map((source) => describeRoot(source, policy));
    const scopes = config.trust.scopes.map(({ name, repositories, allowUnsigned, roots: accepted }) => ({
      name,
      repositories,
      allowUnsigned,
      roots: accepted,
    }));
    const peers = (await loadConfiguredPeers(config, policy)).map(
      ({ key, name, fingerprint, for: kinds }, i) => ({
        name,
        keyFile: config.peers[i]!.keyFile,
        type: describeKey(key),
        fingerprint,
        for: kinds,
      }),
    );
    if (this.format === 'json') await this.printDocument({ roots, scopes, peers });
    else {
      this.#render(roots, scopes);
      this.#renderPeers(peers);
    }
    return 0;
  }

  #render(roots: readonly ShownRoot[], scopes: readonly ShownScope[]): void {
    const text = speak(this.language);
    const { stdout } = this.context;
    if (roots.length === 0) {
      this.printLine([
        'svc: no trust roots are configured: no signature is accepted',
        fr`svc: aucune racine de confiance n’est configurée : aucune signature n’est acceptée`,
      ]);
    } else stdout.write(`${text('Trust roots', fr`Racines de confiance`)}\n`);
    for (const { name, type, fingerprint, location, predicates = [] } of roots) {
      const inline = text('the configuration', fr`la configuration`);
      const unknown = text(
        'no copy of its key yet: nothing it signed is accepted',
        fr`pas encore de copie de sa clé : rien de ce qu’elle a signé n’est accepté`,
      );
      stdout.write(`  ${name}\n`);
      stdout.write(fingerprint === undefined ? `    ${unknown}\n` : `    ${fingerprint}\n`);
      const from = `${text('from', fr`depuis`)} ${location ?? inline}`;
      stdout.write(`    ${type === undefined ? from : `${type}, ${from}`}\n`);
      for (const predicate of predicates)
        stdout.write(`    ${text('also approves', fr`approuve aussi`)} ${predicate}\n`);
    }
    if (scopes.length > 0) stdout.write(`\n${text('Trust scopes', fr`Portées de confiance`)}\n`);
    for (const { name, repositories, allowUnsigned, roots: accepted } of scopes) {
      stdout.write(`  ${name}\n`);
      for (const repository of repositories) stdout.write(`    ${repository}\n`);
      if (allowUnsigned)
        stdout.write(`    ${text('a recipe needs no signature', fr`une recette peut ne pas être signée`)}\n`);
      if (accepted !== undefined)
        stdout.write(`    ${text('signed by', fr`signée par`)} ${accepted.join(', ')}\n`);
    }
  }

  #renderPeers(peers: readonly ShownPeer[]): void {
    const text = speak(this.language);
    const { stdout } = this.context;
    if (peers.length === 0) return;
    const title = text('Peers (they approve no recipe)', fr`Pairs (ils n’approuvent aucune recette)`);
    stdout.write(`\n${title}\n`);
    for (const { name, keyFile, type, fingerprint, for: kinds } of peers)
      stdout.write(
        `  ${name}\n    ${fingerprint}\n    ${type}, ${text('from', fr`depuis`)} ${keyFile}\n    ${text('for', fr`pour`)} ${kinds.join(', ')}\n`,
      );
  }
}

interface ShownPeer {
  readonly name: string;
  readonly keyFile: string;
  readonly type: string;
  readonly fingerprint: string;
  readonly for: readonly string[];
}

interface ShownRoot {
  readonly name: string;
  readonly source: 'inline' | 'file' | 'url';
  /** Path of the key, or host of its URL; absent: the key stands in the configuration. */
  readonly location?: string;
  /** Absent while there is no copy of a key by URL. */
  readonly type?: string;
  readonly fingerprint?: string;
  readonly predicates?: readonly string[];
}

interface ShownScope {
  readonly name: string;
  readonly repositories: readonly string[];
  readonly allowUnsigned: boolean;
  readonly roots?: readonly string[];
}

function describeRoot({ name, keyFile, keyURL }: TrustRootSource, policy: TrustPolicy): ShownRoot {
  const loaded = policy.roots.find((root) => root.name === name);
  // a URL may have a password or a token in it
  const location = keyFile ?? (keyURL === undefined ? undefined : new URL(keyURL).host);
  return {
    name,
    source: keyFile !== undefined ? 'file' : keyURL !== undefined ? 'url' : 'inline',
    location,
    ...(loaded === undefined ? {} : { type: describeKey(loaded.key), fingerprint: loaded.fingerprint }),
    ...(loaded?.predicates === undefined ? {} : { predicates: loaded.predicates }),
  };
}
