export { type CallbackRequest, InvalidCallbackError, verifyCallback } from './callback.ts';
export { type Client, createClient } from './client.ts';
export type { ClientOptions } from './connection.ts';
export { ApiError, ConnectionError, type Fault, MediagateError } from './errors.ts';
export type { FollowOptions } from './follow-task.ts';
export type { SubmitOptions } from './submit.ts';
export type * from './types.ts';
export type { FileContent } from './upload-file.ts';
export type { WaitOptions } from './wait-for-task.ts';
