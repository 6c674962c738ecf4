import { dirname, join } from 'node:path';
import { fr } from '../../src/text/language.ts';
import { toShellWord } from '../../src/text/shell-word.ts';
import type { Step } from '../cli/print-next.ts';
import type { Purpose } from './purpose.ts';
import { isExactVersion, type RetrieverDraft, splitRecipe } from './written/retriever-file.ts';

interface Situation {
  /** Absolute path of the configuration. */
  readonly config: string;
  readonly purpose: Purpose | undefined;
  /** Absolute path of the token for `svc sync`, if one was written. */
  readonly tokenFile: string | undefined;
  /** The Retriever that was written. */
  readonly retriever: RetrieverDraft | undefined;
  /** Path of the public key that is trusted, as given; undefined: none. */
  readonly trustKey: string | undefined;
  /** Whether the instance is started by the same command. */
  readonly isServing: boolean;
}

/** Returns the commands that follow a setup, in their order. */
export function toNextSteps({
  config,
  purpose,
  tokenFile,
  retriever,
  trustKey,
  isServing,
}: Situation): readonly Step[] {
  const at = `--config ${toShellWord(config)}`;
  if (purpose === 'medium')
    return [
      {
        sentence: ['ready; verify the medium with:', fr`prêt ; vérifiez le support avec :`],
        command: `svc media verify ${at}`,
      },
      {
        sentence: ['import what passes with:', fr`importez ce qui est valide avec :`],
        command: `svc media import ${at}`,
      },
    ];
  const steps: Step[] = [];
  if (!isServing)
    steps.push({
      sentence: ['ready; start it with:', fr`l’instance est prête ; démarrez-la avec :`],
      command: `svc serve ${at}`,
    });
  if (retriever !== undefined) steps.push(...toPush(retriever, trustKey, at));
  if (tokenFile !== undefined)
    steps.push({
      sentence:
        purpose === 'source'
          ? ['fill the medium, from another terminal:', fr`remplissez le support, dans un autre terminal :`]
          : [
              'synchronize at once, from another terminal:',
              fr`synchronisez aussitôt, dans un autre terminal :`,
            ],
      command: `svc sync --wait --token-file ${toShellWord(tokenFile)} ${at}`,
    });
  return steps;
}

/** For a source that trusts no key yet. */
const newKey: Step = {
  sentence: [
    'make a key (the first line of password-file becomes its password), and add release.pub to trust.roots:',
    fr`créez une clé (la première ligne de password-file devient son mot de passe) et ajoutez release.pub à trust.roots :`,
  ],
  command: 'svc key new release --key-password-file password-file',
};

/**
 * Returns the commands that draft, pin, publish and sign the first recipe; a version that the user has to choose is the
 * word VERSION.
 */
function toPush(
  { cookbook, recipes }: RetrieverDraft,
  trustKey: string | undefined,
  at: string,
): readonly Step[] {
  const [first] = recipes;
  if (first === undefined) return [];
  const { name, version } = splitRecipe(first);
  const isExact = isExactVersion(version);
  const shown = isExact ? version : 'VERSION';
  const [draft, pinned] = [`${name}.yaml`, `${name}-${shown}.yaml`];
  const signKey = trustKey?.endsWith('.pub') ? `${trustKey.slice(0, -4)}.key` : 'release.key';
  return [
    ...(trustKey === undefined ? [newKey] : []),
    {
      sentence: [
        'draft the recipe from what you have, such as a compose file:',
        fr`faites un brouillon de recette à partir de ce que vous avez, comme un fichier compose :`,
      ],
      command: `svc recipe init ${name} --from compose.yaml --out ${draft} ${at}`,
    },
    {
      sentence: isExact
        ? ['pin its content:', fr`figez son contenu :`]
        : ['pin its content (replace VERSION):', fr`figez son contenu (remplacez VERSION) :`],
      command: `svc recipe pin ${draft} --set-version ${shown} --out ${pinned} ${at}`,
    },
    {
      sentence: [
        'publish and sign it (for --key-password-file, name the file whose first line is the password of the key):',
        fr`publiez-la et signez-la (pour --key-password-file, nommez le fichier dont la première ligne est le mot de passe de la clé) :`,
      ],
      command: `svc recipe push ${pinned} ${cookbook}/${name}:${shown} --sign-key ${toShellWord(signKey)} --key-password-file password-file ${at}`,
    },
  ];
}

/** Path of the Retriever that quickstart writes, beside the configuration. */
export function toRetrieverFile(config: string): string {
  return join(dirname(config), 'retriever.yaml');
}
