import { auditActions } from '../../base/report.ts';
import { fr } from '../../text/language.ts';
import { custodyActions } from '../custody.ts';
import {
  type ActionGroup,
  actionGroups,
  changesName,
  type GroupedAction,
  HistoryPage,
  historyOutcome,
  longestActor,
  lossActions,
} from '../history.ts';
import { field, operation } from '../operation.ts';
import { dayOrTime } from '../patterns.ts';
import { list, oneOf, text } from '../schema.ts';
import { paging } from './paging.ts';
import { sorting } from './sorting.ts';

const groups = Object.keys(actionGroups) as readonly ActionGroup[];
// a new action does not compile until it is in a group
const actions = [...auditActions, ...custodyActions, ...lossActions] satisfies readonly GroupedAction[];

export const listHistory = operation({
  id: 'listHistory',
  method: 'GET',
  path: '/history',
  floor: 'admin',
  errors: ['SVC-CFG-001', 'SVC-SRV-006', 'SVC-STO-001', 'SVC-STO-014'],
  summary: 'Kept audit records and the lines of the custody ledger, newest first unless told',
  query: {
    actor: field(
      text({ maxLength: longestActor }),
      [
        'part of the name of the account or token, or of the name that a refused sign-in tried; the whole name in quotation marks',
        fr`partie du nom du compte ou du jeton, ou du nom essayé par une connexion refusée ; le nom entier entre guillemets droits`,
      ],
      'token:pipeline',
    ),
    subject: field(
      text({ maxLength: 1024 }),
      [
        'part of the target, of a digest, recipe, task or other text of the record, or of the zone of its delivery',
        fr`partie de la cible, d’une empreinte, recette, tâche ou d’un autre texte de l’enregistrement, ou de la zone de sa livraison`,
      ],
      'library/alpine',
    ),
    action: field(
      oneOf(changesName, ...groups, ...actions),
      [
        'only records of this action, or of the actions of a group such as sign-ins; changes: all but sign-ins and requests',
        fr`seulement les enregistrements de cette action, ou des actions d’un groupe tel que sign-ins ; changes : tous sauf les connexions et les requêtes`,
      ],
      'content.delete',
    ),
    outcome: field(
      list(historyOutcome),
      [
        'only records with this outcome; repeatable',
        fr`seulement les enregistrements de ce résultat ; répétable`,
      ],
      ['denied', 'failure'],
    ),
    from: field(
      dayOrTime,
      ['first day, or first time in UTC', fr`premier jour, ou première heure UTC`],
      '2026-01-01',
    ),
    to: field(
      dayOrTime,
      ['last day, or last time in UTC', fr`dernier jour, ou dernière heure UTC`],
      '2026-01-31',
    ),
    order: sorting(['time']).order,
    cursor: field(
      text({
        pattern: '^(?:[0-9]{1,15}-[0-9]{1,15}|(?:[0-9]{1,15}-[0-9]{1,15})?_(?:[0-9]{4}-[0-9]{1,15}g?)?)$',
      }),
      ['`next` of the page before', fr`« next » de la page précédente`],
      '1-4096',
    ),
    pageSize: paging(50).pageSize,
    format: field(
      { ...oneOf('json', 'csv', 'jsonl'), default: 'json' },
      '`json`: one page; all selected records from the cursor on, `csv`: as a table, `jsonl`: as JSON, one record a line',
      'csv',
    ),
  },
  answer: {
    status: 200,
    description: 'One page of records, or all of them as a table or as lines',
    schema: HistoryPage,
    contentTypes: ['application/json', 'text/csv', 'application/x-ndjson'],
  },
});
