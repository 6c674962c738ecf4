import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { parseDuration, suggestDuration } from '../../src/base/duration.ts';
import type { Report } from '../../src/base/report.ts';
import { breaksZoneName } from '../../src/config/keys/instance.ts';
import type { ConfigWith } from '../../src/config/requirements.ts';
import type { MediumWriting } from '../../src/contract/write-medium.ts';
import type { ChosenRecipes } from '../../src/operation/zone/choose-wanted.ts';
import type { Store } from '../../src/store/model.ts';
import { fromErrorRecord, isSvcError, type SvcError, svcError, toExitCode } from '../../src/text/error.ts';
import type { ErrorParams } from '../../src/text/errors/registry.ts';
import { exitCodes } from '../../src/text/exit-codes.ts';
import { fr, say } from '../../src/text/language.ts';
import { parseByteSizes, suggestSize } from '../../src/text/size.ts';
import { getBuildInfo } from '../build-info.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { argument, flag } from '../cli/inputs.ts';
import { parseArgument } from '../cli/parse-argument.ts';
import { toRuleSentence } from '../cli/sentence-error.ts';
import { KeyCommand } from '../key/key-command.ts';
import { showVerification } from '../show-verification.ts';

/** Milliseconds: ten years. */
const mostExpiry = 3650 * 86_400_000;

export class MediaWriteCommand extends KeyCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Writes recipes of the store onto disks for a zone, and leaves out what the last receipt of the zone says that it has. Each folder becomes a medium of its own, which media verify and media import read in any order. Every byte is hashed while it is copied. A disk is proved while the next one is written, and can leave when svc says that it is complete. After an interruption, run the same command again.',
        fr`Écrit des recettes du stockage sur des disques pour une zone, sans ce que la zone a selon son dernier reçu. Chaque dossier devient un support à part entière, que media verify et media import lisent dans n’importe quel ordre. Chaque octet est haché pendant la copie. Un disque est prouvé pendant que le suivant est écrit, et peut partir dès que svc le dit complet. Après une interruption, relancez la même commande.`,
      ],
      [
        'A recipe is blocked as a whole, and named with the file, where the store has lost content that the zone lacks, or where a file is damaged. The others are written.',
        fr`Une recette est bloquée tout entière, et nommée avec le fichier, si le stockage a perdu du contenu qui manque à la zone, ou si un fichier est abîmé. Les autres sont écrites.`,
      ],
      [
        'A file that proves damaged while it is copied, or is lost meanwhile, ends the writing with the names of its recipes (SVC-MED-050). The same command, given again, blocks these and writes the others over the unfinished disks. Complete disks stay valid.',
        fr`Un fichier qui se révèle abîmé pendant la copie, ou qui est perdu entre-temps, arrête l’écriture avec les noms de ses recettes (SVC-MED-050). La même commande, relancée, les bloque et écrit les autres par-dessus les disques inachevés. Les disques complets restent valides.`,
      ],
      [
        'Each disk is proved when it is complete: it is verified under the trust roots, and imported into a registry in memory. With --sign-key it then gets a passport; a disk that is not proved gets none.',
        fr`Chaque disque est prouvé dès qu’il est complet : il est vérifié avec les racines de confiance, et importé dans un registre en mémoire. Avec --sign-key, il reçoit alors un passeport ; un disque qui n’est pas prouvé n’en reçoit pas.`,
      ],
      [
        'The files are read back from their disk, past the cache of the kernel: a disk that keeps other bytes is found before it leaves. With --skip-read-back, large files are hashed while they are written, and the proof believes the disk. Prove such a disk again with media prove, on another computer or after it was mounted again.',
        fr`Les fichiers sont relus sur leur disque, sans passer par le cache du noyau : un disque qui conserve d’autres octets est découvert avant son départ. Avec --skip-read-back, les grands fichiers sont hachés pendant l’écriture, et la preuve fait confiance au disque. Prouvez-le de nouveau avec media prove, sur un autre ordinateur ou après l’avoir remonté.`,
      ],
      [
        'With --with-program, each medium also has a release of svc, for a zone without svc. The key verifies the release before anything is written, and README.txt on the disk tells how the zone verifies and installs it without svc.',
        fr`Avec --with-program, chaque support contient aussi une version de svc, pour une zone sans svc. La clé vérifie la version avant toute écriture, et README.txt sur le disque dit comment la zone la vérifie et l’installe sans svc.`,
      ],
      [
        'Exit code: 0 written, 1 failure, 3 refused by policy, 4 damaged or lost content of the store, a release that does not verify, or with --sign-key media that could not be proved, 5 --dry-run has something to write.',
        fr`Code de sortie : 0 écrit, 1 échec, 3 refus par la politique, 4 contenu abîmé ou perdu du stockage, version non vérifiée ou, avec --sign-key, supports qui n’ont pas pu être prouvés, 5 --dry-run trouve quelque chose à écrire.`,
      ],
    ],
    examples: [
      [
        ['What the zone lacks, onto one disk', fr`Ce qui manque à la zone, sur un disque`],
        'svc media write /mnt/usb/delivery --zone zone-b',
      ],
      [
        ['What the Retriever of the zone wants', fr`Ce que demande le Retriever de la zone`],
        'svc media write /mnt/usb/delivery --zone zone-b --wanted',
      ],
      [
        ['Everything, onto two disks', fr`Tout, sur deux disques`],
        'svc media write /mnt/a/delivery /mnt/b/delivery --zone zone-b --base none',
      ],
      [
        ['Folders to burn onto discs', fr`Dossiers à graver sur des disques`],
        'svc media write discs --zone zone-b --volume-size 4.7GB --sign-key source.key --expires 30d',
      ],
      [
        ['Folders for one DVD, then CDs', fr`Dossiers pour un DVD, puis des CD`],
        'svc media write discs --zone zone-b --volume-size 4.7GB,700MB',
      ],
      [
        ['The first disk for a zone without svc', fr`Le premier disque pour une zone sans svc`],
        'svc media write /mnt/usb/delivery --zone zone-b --with-program release --program-key svc-release.pub',
      ],
      [['Show the plan', fr`Afficher le plan`], 'svc media write /mnt/usb/delivery --zone zone-b --dry-run'],
    ],
  };

  folders: string[] = argument.each(['directory', fr`dossier`], 'folder');
  zones: string[] = flag.each(
    '--zone',
    ['the zone that receives the disks', fr`zone qui reçoit les disques`],
    'name',
  );
  base: string | undefined = flag.text(
    '--base',
    [
      'what the zone has: latest (its last receipt, default), none, sent (what was sent before), or a receipt file',
      fr`ce que la zone a : latest (son dernier reçu, par défaut), none, sent (ce qui a été envoyé), ou le fichier d’un reçu`,
    ],
    'file',
  );
  recipes: string[] = flag.each(
    '--recipe',
    [
      'only this recipe, name or name@version; repeatable',
      fr`seulement cette recette, nom ou nom@version ; répétable`,
    ],
    'recipe',
  );
  wanted: boolean = flag.present('--wanted', [
    'only the recipes that the Retriever of the zone wants and the zone lacks, as svc zones says',
    fr`seulement les recettes que le Retriever de la zone demande et qui manquent à la zone, selon svc zones`,
  ]);
  volumeSizes: string[] = flag.each(
    '--volume-size',
    [
      'bytes of each disc, such as 4.7GB: makes part-1, part-2, … below one folder; of several sizes (4.7GB,700MB) the last one repeats',
      fr`octets de chaque disque, par exemple 4.7GB : crée part-1, part-2, … sous un seul dossier ; de plusieurs tailles (4.7GB,700MB), la dernière se répète`,
    ],
    'text',
  );
  withProgram: string | undefined = flag.text(
    '--with-program',
    [
      'add the release of svc in this folder to each disk; its files must be those of its signed list',
      fr`ajoute à chaque disque la version de svc de ce dossier ; ses fichiers doivent être ceux de sa liste signée`,
    ],
    'folder',
  );
  programKey: string | undefined = flag.text(
    '--program-key',
    [
      'public key of the release, which came over another channel',
      fr`clé publique de la version, arrivée par un autre canal`,
    ],
    'file',
  );
  signKey: string | undefined = flag.text(
    '--sign-key',
    [
      'give the media passports, signed with this private key',
      fr`donne aux supports des passeports signés avec cette clé privée`,
    ],
    'file',
  );
  expires: string | undefined = flag.text(
    '--expires',
    [
      'time for which the passports are valid, such as 30d; default: without an end',
      fr`durée de validité des passeports, par exemple 30d ; par défaut : sans fin`,
    ],
    'duration',
  );
  skipReadBack: boolean = flag.present('--skip-read-back', [
    'do not read large files back from their disk; media prove reads them later',
    fr`ne relit pas les grands fichiers sur leur disque ; media prove les lit plus tard`,
  ]);
  dryRun: boolean = flag.present('--dry-run', [
    'print the plan and write nothing',
    fr`affiche le plan et n’écrit rien`,
  ]);

  async run(): Promise<number> {
    const [zone, other] = this.zones;
    if (zone === undefined)
      throw new CommandLineError(['name the zone with --zone', fr`nommez la zone avec --zone`]);
    if (other !== undefined)
      throw new CommandLineError([
        'a disk is for one zone: name it once with --zone',
        fr`un disque est pour une seule zone : nommez-la une fois avec --zone`,
      ]);
    const broken = breaksZoneName(zone);
    if (broken !== undefined) {
      const [english, french] = toRuleSentence(broken);
      throw new CommandLineError([`--zone ${english}`, fr`--zone ${french}`]);
    }
    if (this.wanted && this.recipes.length > 0)
      throw new CommandLineError([
        '--wanted chooses the recipes: leave --recipe out',
        fr`--wanted choisit les recettes : retirez --recipe`,
      ]);
    const volumeBytes = this.#readVolumeSizes();
    const expiresIn = this.#readExpiry();
    const release = this.#readRelease();
    const { parseRecipeName } = await import('../../src/recipe/metadata.ts');
    for (const recipe of this.recipes)
      await parseArgument(['<name>[@<version>]', fr`<nom>[@<version>]`], recipe, parseRecipeName);
    const { config, path: configPath } = await this.loadConfig('media-write');
    const { openProgress } = await import('../cli/progress.ts');
    const { openExport } = await import('../../src/operation/open-export.ts');
    const { loadPolicy } = await import('../../src/operation/load-policy.ts');
    const { resolveLayoutPath } = await import('../../src/operation/layout-paths.ts');
    const { resolveBase } = await import('../../src/operation/delivery/resolve-base.ts');
    const { planWriting } = await import('../../src/operation/delivery/plan-write.ts');
    const { describeWriting } = await import('../../src/operation/delivery/describe-writing.ts');
    const { toNamedContent } = await import('../../src/operation/delivery/find-damage.ts');
    const { isWritten, writeMedium } = await import('../../src/operation/delivery/write-medium.ts');
    const { openCustody } = await import('../../src/operation/custody/open-custody.ts');
    const { findUnknownZone } = await import('../../src/zone/find-unknown-zone.ts');
    const { takeOutDamage } = await import('../take-out-damage.ts');
    const { openSent } = await import('../../src/zone/sent.ts');
    const { renderOutcome, renderPart, renderWriting } = await import('./render-writing.ts');
    const { language } = this;
    const { signal, stderr } = this.context;
    using progress = openProgress({ stderr, language });
    const report = await this.openReport(progress);
    const policy = await loadPolicy(config, report);
    const signer = this.signKey === undefined ? undefined : await this.openSigner(this.signKey, config);
    const choice = this.base ?? 'latest';
    if (!/^(?:latest|none|sent)$|[./]/.test(choice) && !existsSync(choice))
      throw new CommandLineError([
        `--base takes latest, none, sent or the file of a receipt, and not '${choice}'`,
        fr`--base prend latest, none, sent ou le fichier d’un reçu, et non « ${choice} »`,
      ]);
    const { toInventoryWarning } = await import('../receipt/render-receipt.ts');
    const onUnread = (error: SvcError): void => this.warn(toInventoryWarning(error));
    const base = await resolveBase(choice, { config, policy, zone, onUnread });
    const folders = await Promise.all(
      this.folders.map((folder) => resolveLayoutPath({ config, configPath }, resolve(folder), 'disk')),
    );
    if (new Set(folders).size < folders.length)
      throw new CommandLineError([
        'the same folder is named twice: each disk has its own',
        fr`le même dossier est nommé deux fois : chaque disque a le sien`,
      ]);
    const { version } = getBuildInfo();
    const program = release && (await this.#readProgram(release));
    await using opened = await openExport(config, {
      report,
      version,
      actor: this.actor,
      peek: this.dryRun,
      signal,
      onProgress: showVerification(progress, language),
    });
    const { store } = opened;
    const unknown = findUnknownZone(zone, store.lastSync?.zone, config);
    if (unknown !== undefined) {
      const { own, nearest } = unknown;
      const [meant, voulu] =
        nearest === undefined
          ? ['', '']
          : [`; did you mean ${nearest}?`, fr` ; vouliez-vous dire ${nearest} ?`];
      this.warn([
        `the recipes of this store were resolved for the zone ${own}, and ${zone} is neither under zones nor among the peers: a zone with another name refuses the media (SVC-MED-006)${meant}`,
        fr`les recettes de ce stockage ont été résolues pour la zone ${own}, et ${zone} n’est ni sous zones ni parmi les pairs : une zone d’un autre nom refuse les supports (SVC-MED-006)${voulu}`,
      ]);
    }
    const wanted = this.wanted ? await this.#chooseWanted(config, { store, zone, report }) : undefined;
    const { gate } = opened.permitOf({ recipes: wanted?.recipes ?? this.recipes, repositories: [] });
    const asked = {
      store,
      sent: openSent(config.state.root),
      zone,
      base,
      recipes: this.recipes,
      wanted,
      folders,
      volumeBytes,
      marginPercent: config.preflight.safetyMarginPercent,
      program,
      gate,
      signal,
    };
    const isText = this.format !== 'json';
    if (this.dryRun) {
      const planned = await planWriting(asked);
      const document = describeWriting(planned);
      progress.stop();
      if (isText)
        this.printReport(renderWriting(document, { language, choice, folders: volumeBytes ? [] : folders }));
      else await this.printDocument(document);
      const { passPreflight } = await import('../../src/engine/sync/preflight/pass-preflight.ts');
      passPreflight(planned.checks, config.preflight.disabled, report, this.actor);
      const [undelivered] = [...(document.blocked ?? []), ...(document.lacking ?? [])];
      if (undelivered !== undefined) return this.#failOf(undelivered);
      return (await isWritten(planned, asked.sent)) ? exitCodes.ok : exitCodes['changes-planned'];
    }
    const taking = { config, report, actor: this.actor, holder: 'svc media write' };
    const label = say(['writing', fr`écriture`], language);
    const written = writeMedium({
      ...asked,
      actor: this.actor,
      report,
      version,
      preflightDisabled: config.preflight.disabled,
      from: config.custody.site ?? config.zone,
      signer,
      expiresIn,
      readBack: !this.skipReadBack,
      policy,
      custody: openCustody(config, policy),
      onPlan: (plan) => {
        progress.clear();
        if (isText)
          this.printReport(renderWriting(plan, { language, choice, folders: volumeBytes ? [] : folders }));
      },
      onPart: (done) => {
        progress.clear();
        if (isText) this.printReport(renderPart(done, language));
      },
      onBytes: (bytesDone, bytesTotal) => progress.update({ label, bytesDone, bytesTotal }),
    });
    const document = await written
      .finally(() => progress.stop())
      .catch(async (error: unknown) => {
        if (signal.aborted) this.printInterrupted();
        if (!isSvcError(error, 'SVC-MED-050')) throw error;
        const damaged = toNamedContent(error);
        if (await takeOutDamage(opened, damaged === undefined ? [] : [damaged], taking)) throw error;
        const params = error.params as ErrorParams<'SVC-MED-050'>;
        throw svcError('SVC-MED-050', { ...params, left: 'yes' }, { cause: error });
      });
    const lost = document.blocked?.flatMap(({ missing }) => missing) ?? [];
    await takeOutDamage(opened, lost, taking);
    if (!isText) await this.printDocument(document);
    else if (document.volumes.length > 0) this.printReport(renderOutcome(document, language));
    return await this.#judge(document);
  }

  /** Asks the Retriever of the zone. */
  async #chooseWanted(
    config: ConfigWith<'storage.root' | 'state.root'>,
    { store, zone, report }: { readonly store: Store; readonly zone: string; readonly report: Report },
  ): Promise<ChosenRecipes> {
    const { openContext } = await import('../../src/operation/context.ts');
    const { chooseWanted } = await import('../../src/operation/zone/choose-wanted.ts');
    const { WantedRecipes } = await import('../../src/operation/zone/wanted-recipes.ts');
    const { env, signal } = this.context;
    await using context = await openContext(config, { report, version: getBuildInfo().version, env });
    const wanted = new WantedRecipes(context, { signal });
    return await chooseWanted(context, { zone, wanted, store, now: systemClock.wall() });
  }

  /** @returns bytes of each disc @throws CommandLineError */
  #readVolumeSizes(): readonly number[] | undefined {
    if (this.volumeSizes.length === 0) return undefined;
    const all = this.volumeSizes.flatMap((given) => {
      const sizes = parseByteSizes(given);
      if (sizes !== undefined) return sizes;
      const plain = suggestSize(given);
      throw new CommandLineError([
        `--volume-size takes a number, with a point, and a unit, such as 4.7GB, 700MB or 25GiB, and at least 100kB${plain === undefined ? '' : `: ${given} is written ${plain}`}`,
        fr`--volume-size prend un nombre, avec un point, et une unité, par exemple 4.7GB, 700MB ou 25GiB, et au moins 100kB${plain === undefined ? '' : fr` : ${given} s’écrit ${plain}`}`,
      ]);
    });
    if (this.folders.length !== 1)
      throw new CommandLineError([
        '--volume-size makes its parts below one folder: name one',
        fr`--volume-size crée ses parties sous un seul dossier : nommez-en un`,
      ]);
    return all;
  }

  /** @returns milliseconds @throws CommandLineError */
  #readExpiry(): number | undefined {
    if (this.expires === undefined) return undefined;
    if (this.signKey === undefined)
      throw new CommandLineError([
        '--expires is about passports: use --sign-key',
        fr`--expires concerne les passeports : utilisez --sign-key`,
      ]);
    const milliseconds = parseDuration(this.expires) ?? 0;
    if (milliseconds > 0 && milliseconds <= mostExpiry) return milliseconds;
    const plain = suggestDuration(this.expires);
    throw new CommandLineError([
      `--expires takes a duration such as 30d, at most ten years${plain === undefined ? '' : `: ${this.expires} is written ${plain}`}`,
      fr`--expires prend une durée, par exemple 30d, de dix ans au plus${plain === undefined ? '' : fr` : ${this.expires} s’écrit ${plain}`}`,
    ]);
  }

  /** @throws CommandLineError */
  #readRelease(): { readonly folder: string; readonly keyFile: string } | undefined {
    const { withProgram: folder, programKey: keyFile } = this;
    if (folder !== undefined && keyFile !== undefined) return { folder, keyFile };
    if (folder === undefined && keyFile === undefined) return undefined;
    throw new CommandLineError([
      '--with-program and --program-key go together: a release, and the key that verifies it',
      fr`--with-program et --program-key vont ensemble : une version, et la clé qui la vérifie`,
    ]);
  }

  /** @throws SVC-MED-048, SVC-VAL-001 for a file that is no public key, SVC-FIL-005 */
  async #readProgram({ folder, keyFile }: { readonly folder: string; readonly keyFile: string }) {
    const { readPublicKey } = await import('../trust/read-key.ts');
    const { readProgram } = await import('../../src/engine/delivery/program/read-program.ts');
    return readProgram(resolve(folder), await readPublicKey(keyFile), this.context.signal);
  }

  /** Prints why the first recipe is not written; the plan lists all. @returns the exit status */
  async #failOf(first: Pick<NonNullable<MediumWriting['lacking']>[number], 'error'>): Promise<number> {
    const error = fromErrorRecord(first.error);
    await this.fail(error);
    return toExitCode(error);
  }

  async #judge({ volumes, blocked = [], lacking = [] }: MediumWriting): Promise<number> {
    const [undelivered] = [...blocked, ...lacking];
    const isUnproved = volumes.some(({ passport }) => passport === false);
    if (undelivered !== undefined) {
      const status = await this.#failOf(undelivered);
      return isUnproved ? exitCodes.verification : status;
    }
    return isUnproved ? exitCodes.verification : exitCodes.ok;
  }
}
