export {
  type AccountQuery,
  type AccountSummary,
  accountOf,
  closeAccount,
  createAccount,
  describeAccount,
  findAccountOfKey,
  listAccounts,
  type NewAccount,
  openAccount,
  readAccount,
  resumeAccount,
  suspendAccount,
} from './accounts/accounts';
export type { Identity } from './identity';
export {
  type ApiKeyParts,
  createSecretJudge,
  formatApiKey,
  formatOperatorToken,
  hashesMatch,
  hashSecret,
  newApiKey,
  type Peppers,
  parseApiKey,
  type SecretVerdict,
} from './keys/api-key';
export {
  changeKey,
  createKey,
  endKey,
  fieldsBeyond,
  type IssuedKey,
  issueKey,
  MAX_KEYS_OF_ACCOUNT,
  type NewKey,
  replaceKeySecret,
  type SecretOutcome,
} from './keys/change-keys';
export {
  createKeyFinder,
  describeKey,
  describeOperatorsKey,
  findKey,
  findListedKey,
  type KeyMaker,
  type KeyRecord,
  type ListedKey,
  type OwnKey,
  searchKeys,
} from './keys/key-record';
export { KeyUses } from './keys/key-uses';
export { createOperatorFinder, type Operator } from './operators/authenticate-operator';
export { describeAction } from './operators/describe-action';
export { type ActionFilter, type LoggedAction, listActions } from './operators/list-actions';
export {
  createOperator,
  type IssuedOperator,
  listOperators,
  type NewOperator,
  type OperatorSummary,
  revokeOperator,
} from './operators/manage-operators';
export { createSealer, SEALING_SECRET_MIN_CHARACTERS, type Sealer } from './sealing/sealer';
export { actorOf, type Credential } from './users/credential';
export type { Identified, InvitedChoice, ProvenIdentity } from './users/identities';
export { acceptInvitation, findInvitation } from './users/invitations';
export {
  createInvited,
  createUser,
  describeInvitation,
  describeUser,
  hasAllUsers,
  hasPassword,
  type Invited,
  inviteUser,
  MAX_USERS_OF_ACCOUNT,
  makeSignInLink,
  type NewUser,
  resetUser,
  setPassword,
} from './users/manage-users';
export { changeOwnPassword, confirmTotp, enrolTotp, removeTotp } from './users/own-proofs';
export { PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS, type PasswordFault, passwordFault } from './users/password';
export { listPlaces, type ProvenAddress, type SignInPlace } from './users/places';
export { searchUsers, type UserQuery } from './users/search-users';
export {
  closeOtherSessions,
  closeSession,
  findSession,
  listSessions,
  type Session,
} from './users/sessions';
export {
  type GivenProofs,
  isKnownUser,
  type KnownUser,
  type SignInFault,
  type SignInOutcome,
  signIn,
  signInByLink,
  signInIdentified,
} from './users/sign-in';
export { findUser, findUsersByEmail, normalEmail, type UserRecord } from './users/user-record';
