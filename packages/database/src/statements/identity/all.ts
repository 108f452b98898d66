import { concludeAction, noteAction } from './audit-log';
import { changeKey, issueKey } from './change-keys';
import { changeUser, createUser, deleteUser } from './change-users';
import { countOfDay } from './count-of-day';
import { issueUserKey, issueUserToken, isUserCredentialInForce } from './credentials';
import { findKeys, findListedKey, listKeys, listKeysOfAccount } from './find-keys';
import { acceptInvitation, findUserLink, makeUserLink } from './links';
import { listActions, listActionsOfActor, listActionsOfKind, listActionsOfSubject } from './list-actions';
import { nameActors } from './name-actors';
import { findChange } from './note';
import { noteKeyUses } from './note-key-uses';
import { noteSeen, noteShownResult } from './note-seen';
import { createOperatorToken, findOperatorTokens, noteOperatorUse, revokeOperatorToken } from './operator-tokens';
import { changePassword, confirmTotp, enrolTotp, keepIdentity, removeTotp } from './proofs';
import { endUserSessions, resetSecondFactor, resetUser } from './reset-user';
import { closeSession, closeSessionsOf, findSession, listSessions, openSession } from './sessions';

export const IDENTITY_STATEMENTS = {
  acceptInvitation,
  changeKey,
  changePassword,
  changeUser,
  closeSession,
  closeSessionsOf,
  concludeAction,
  confirmTotp,
  countOfDay,
  createOperatorToken,
  createUser,
  deleteUser,
  endUserSessions,
  enrolTotp,
  findChange,
  findKeys,
  findListedKey,
  findOperatorTokens,
  findSession,
  findUserLink,
  isUserCredentialInForce,
  issueKey,
  issueUserKey,
  issueUserToken,
  keepIdentity,
  listActions,
  listActionsOfActor,
  listActionsOfKind,
  listActionsOfSubject,
  listKeys,
  listKeysOfAccount,
  listSessions,
  makeUserLink,
  nameActors,
  noteAction,
  noteKeyUses,
  noteOperatorUse,
  noteSeen,
  noteShownResult,
  openSession,
  removeTotp,
  resetSecondFactor,
  resetUser,
  revokeOperatorToken,
};
