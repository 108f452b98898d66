import { message } from '@mediagate/contracts';
import { checkAgainst } from './channel-options';
import { fieldNamedIn } from './error-dialect';
import { imageCallBounds, readImageCall, readImageRequest } from './image-call';
import { ended, pending, unanswered, withIdsOf, withResult } from './job';
import { askJob, bearer, JOB_OPTIONS, jobFault, judgeJob, startJob, stopped } from './job-exchange';
import { base64Bytes, count, decimal, httpUrl, identifier, list, object, present, text } from './json-guards';
import { fieldLack, fileLack, lack } from './lacks';
import { createProbe, NO_SUCH_ID } from './probe';
import { staticKey } from './send-with-key';
import { callVendor, callVendorForFile, refused, unreadable } from './vendor-call';
import { addressOf, videoLack } from './video-ability';
import { readVideoCall, readVideoRequest } from './video-call';
import { doneWith } from './video-result';

/** The functions by which a package speaks to its vendor: it imports nothing of the gateway, so it is handed them. */
export const kit = {
  // Calls, and what they come to.
  callVendor,
  callVendorForFile,
  staticKey,
  createProbe,
  NO_SUCH_ID,
  refused,
  unreadable,
  // Jobs.
  startJob,
  askJob,
  judgeJob,
  jobFault,
  stopped,
  bearer,
  pending,
  ended,
  unanswered,
  withIdsOf,
  withResult,
  // Options of channels.
  checkAgainst,
  JOB_OPTIONS,
  // Requests, and the parts of them that cannot be carried.
  readImageCall,
  readImageRequest,
  imageCallBounds,
  readVideoCall,
  readVideoRequest,
  addressOf,
  doneWith,
  lack,
  fieldLack,
  fileLack,
  videoLack,
  message,
  // Readers of what a vendor sent.
  fieldNamedIn,
  object,
  list,
  text,
  identifier,
  count,
  decimal,
  httpUrl,
  base64Bytes,
  present,
} as const;

export type Kit = typeof kit;
