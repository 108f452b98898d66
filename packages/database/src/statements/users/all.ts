import { changeUser, createUser, deleteUser } from './change-users';
import { issueUserKey, issueUserToken, isUserCredentialInForce } from './credentials';
import { acceptInvitation, findUserLink, makeUserLink } from './links';
import { changePassword, confirmTotp, enrolTotp, keepIdentity, removeTotp } from './proofs';
import { endUserSessions, resetSecondFactor, resetUser } from './reset-user';
import { closeSession, closeSessionsOf, findSession, listSessions, openSession } from './sessions';

export const USER_STATEMENTS = {
  acceptInvitation,
  changePassword,
  changeUser,
  closeSession,
  closeSessionsOf,
  confirmTotp,
  createUser,
  deleteUser,
  endUserSessions,
  enrolTotp,
  findSession,
  findUserLink,
  isUserCredentialInForce,
  issueUserKey,
  issueUserToken,
  keepIdentity,
  listSessions,
  makeUserLink,
  openSession,
  removeTotp,
  resetSecondFactor,
  resetUser,
};
