import { fr } from '../language.ts';
import type { Family } from './entry.ts';

/** Errors of documents. */
export const valErrors = {
  'SVC-VAL-001': {
    class: 'failure',
    status: 422,
    params: {
      file: 'text',
      'path?': 'name',
      'line?': 'name',
      rule: 'rule',
      'unpinned?': 'name',
      'problem?': 'name',
      'beside?': 'name',
    },
    what: [
      '[{file}|The input] is not valid[ at {path}][ (line {line})]: {rule}.',
      fr`[{file}|L’entrée] n’est pas valide[ à {path}][ (ligne {line})] : {rule}.`,
    ],
    cause: [
      '[{problem=list}The line is misspelt, or the file is no list of images.][{problem=name}The name is misspelt, or belongs to another document.][{problem=variable}The file refers to a variable and gives no default.][{problem=source}The file is of another kind than the one that is read here.][{problem=empty}No text was given.][{problem=folder}A folder is read for the images and charts that its files name, or packed as a FileSet.][{problem=key}The file of a public key is wanted here: one PEM block PUBLIC KEY.][{problem=private-key}The file of a public key is wanted here: one PEM block PUBLIC KEY.][{problem=cosign-key}The file of a public key is wanted here: one PEM block PUBLIC KEY.][{problem=paired-key}The file of a public key is wanted here: one PEM block PUBLIC KEY.][{problem=token}The file of an API token is wanted here: its first line is the secret that svc token create printed.][{problem=ledger}The folder custody of the state of a site is wanted here, or its files, such as 2026.jsonl.][{problem=pack}The folder that svc evidence pack wrote is wanted here.][{unpinned!}{problem!}A member is misspelt, missing, of the wrong type, or breaks a rule of the format.][{unpinned=yes}The document is a draft: only a pinned recipe, with an exact tag and a digest for each ingredient, always names the same content.]',
      fr`[{problem=list}La ligne est mal écrite, ou le fichier n’est pas une liste d’images.][{problem=name}Le nom est mal orthographié, ou appartient à un autre document.][{problem=variable}Le fichier utilise une variable et n’en donne pas de valeur par défaut.][{problem=source}Le fichier est d’un autre genre que celui qui est lu ici.][{problem=empty}Aucun texte n’a été donné.][{problem=folder}Un dossier est lu pour les images et les charts que nomment ses fichiers, ou empaqueté comme FileSet.][{problem=key}Le fichier d’une clé publique est attendu ici : un seul bloc PEM PUBLIC KEY.][{problem=private-key}Le fichier d’une clé publique est attendu ici : un seul bloc PEM PUBLIC KEY.][{problem=cosign-key}Le fichier d’une clé publique est attendu ici : un seul bloc PEM PUBLIC KEY.][{problem=paired-key}Le fichier d’une clé publique est attendu ici : un seul bloc PEM PUBLIC KEY.][{problem=token}Le fichier d’un jeton d’API est attendu ici : sa première ligne est le secret que svc token create a affiché.][{problem=ledger}Le dossier custody de l’état d’un site est attendu ici, ou ses fichiers, comme 2026.jsonl.][{problem=pack}Le dossier écrit par svc evidence pack est attendu ici.][{unpinned!}{problem!}Un membre est mal orthographié, absent, d’un mauvais type, ou enfreint une règle de son format.][{unpinned=yes}Le document est un brouillon : seule une recette figée, avec une étiquette exacte et une empreinte pour chaque ingrédient, désigne toujours le même contenu.]`,
    ],
    action: [
      '[{unpinned=yes}Run svc recipe pin {file}, which asks the registries and writes each tag and digest.][{unpinned!}{problem!}Correct {path} in {file} and try again.][{problem=list}Correct the line and try again.][{problem=name}Give a name that is there.][{problem=variable}Write NAME=value into a file and name the file with --env-file, or write a default into {file}.][{problem=source}Give the right file, or correct {file}.][{problem=empty}Write the document, or give its file, and try again.][{problem=folder}Do as the rule says, and try again.][{problem=key}Name the file of a public key: ECDSA on P-256, P-384 or P-521, Ed25519, or RSA from 2048 bits.][{problem=paired-key}Name its public key: {beside}.][{problem=private-key}Name the file of its public key. openssl pkey -pubout -in {file} prints it.][{problem=cosign-key}Name the file of its public key. cosign public-key --key {file} and svc key show {file} print it.][{problem=token}Name the file with the token, or write its secret into {file}.][{problem=ledger}Name a copy of that folder.][{problem=pack}Correct the path and try again.][{path!}{problem!}Correct {file} and try again.] Nothing was changed.',
      fr`[{unpinned=yes}Lancez svc recipe pin {file}, qui interroge les registres et écrit chaque étiquette et chaque empreinte.][{unpinned!}{problem!}Corrigez {path} dans {file} et recommencez.][{problem=list}Corrigez la ligne et recommencez.][{problem=name}Donnez un nom qui s’y trouve.][{problem=variable}Écrivez NOM=valeur dans un fichier et indiquez-le avec --env-file, ou écrivez une valeur par défaut dans {file}.][{problem=source}Donnez le bon fichier, ou corrigez {file}.][{problem=empty}Écrivez le document, ou donnez son fichier, et recommencez.][{problem=folder}Faites ce que dit la règle, et recommencez.][{problem=key}Indiquez le fichier d’une clé publique : ECDSA sur P-256, P-384 ou P-521, Ed25519, ou RSA à partir de 2048 bits.][{problem=paired-key}Indiquez sa clé publique : {beside}.][{problem=private-key}Indiquez le fichier de sa clé publique. openssl pkey -pubout -in {file} l’affiche.][{problem=cosign-key}Indiquez le fichier de sa clé publique. cosign public-key --key {file} et svc key show {file} l’affichent.][{problem=token}Nommez le fichier du jeton, ou écrivez son secret dans {file}.][{problem=ledger}Indiquez une copie de ce dossier.][{problem=pack}Corrigez le chemin et recommencez.][{path!}{problem!}Corrigez {file} et recommencez.] Rien n’a été modifié.`,
    ],
  },
  'SVC-VAL-002': {
    class: 'failure',
    status: 413,
    params: { limit: 'text', 'file?': 'text' },
    what: [
      'The input[ {file}] is larger than allowed: the limit is {limit:size}.',
      fr`L’entrée[ {file}] est plus grande que permis : la limite est de {limit:size}.`,
    ],
    cause: [
      'The wrong file was given, or the source sent a larger document than this format allows.',
      fr`Le mauvais fichier a été donné, ou la source a envoyé un document plus grand que ce format ne le permet.`,
    ],
    action: [
      'Check the input. The limit protects the instance and cannot be raised; split a large document.',
      fr`Vérifiez l’entrée. La limite protège l’instance et ne peut pas être relevée ; découpez un grand document.`,
    ],
  },
} as const satisfies Family;
