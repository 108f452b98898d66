import { concludeAction, noteAction } from './audit-log';
import { countOfDay } from './count-of-day';
import { notePromotion, raiseFences } from './fence-epochs';
import { readIsMigrated } from './is-migrated';
import { listActions, listActionsOfActor, listActionsOfKind, listActionsOfSubject } from './list-actions';
import { nameActors } from './name-actors';
import { findChange } from './note';
import { noteSeen, noteShownResult } from './note-seen';
import { createOperatorToken, findOperatorTokens, noteOperatorUse, revokeOperatorToken } from './operator-tokens';
import { countTakenSlots, readStanding } from './read-standing';
import { readTaskHistory } from './task-history';

export const OPERATOR_STATEMENTS = {
  concludeAction,
  countOfDay,
  countTakenSlots,
  createOperatorToken,
  findChange,
  findOperatorTokens,
  listActions,
  listActionsOfActor,
  listActionsOfKind,
  listActionsOfSubject,
  nameActors,
  noteAction,
  noteOperatorUse,
  notePromotion,
  noteSeen,
  noteShownResult,
  raiseFences,
  readIsMigrated,
  readStanding,
  readTaskHistory,
  revokeOperatorToken,
};
