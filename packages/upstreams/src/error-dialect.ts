import { type Fault, type FaultCode, message } from '@mediagate/contracts';
import { type Confidential, faultDetail, maskConfidential } from './fault-detail';
import { present } from './json-guards';

/** A vendor's error as read from its body, whatever the shape of that. */
export interface VendorError {
  code?: string;
  type?: string;
  message?: string;
  /** The vendor's name of the field at fault. */
  param?: string;
  /** Machine-readable particulars beside the code: reasons, ids of quotas. */
  reasons?: string;
  retryAfterMs?: number;
}

/** All that is given must match. */
export interface ErrorRule {
  status?: number;
  code?: RegExp;
  type?: RegExp;
  message?: RegExp;
  reasons?: RegExp;
  fault: FaultCode;
  /** It is about the channel's name of the model, or what the channel says of it. */
  ofModel?: true;
  /** It is about the channel's name of a voice. */
  ofVoice?: true;
}

/** One vendor's way of saying no, declared. */
export interface ErrorDialect {
  /** The error in a body, which came under `status`; undefined when the body has none. */
  read(body: unknown, status: number): VendorError | undefined;
  /** Where the vendor's words say more than its status. The first match wins; without one the status decides. */
  rules: readonly ErrorRule[];
  /** The vendor's own meaning of a status, where neither a rule nor the usual meaning says it. */
  statuses?: Readonly<Record<number, FaultCode>>;
  /** The vendor's field names that callers know, to the callers' names of them. */
  fields: Readonly<Record<string, string>>;
  /** The vendor's names of fields that the adapter or the channel says of itself: that one is refused is no mistake of a caller's. */
  own: readonly string[];
  /** The header with the vendor's own request id, in lower case. */
  requestIdHeader?: string;
  /** The vendor's own request id where it stands in the body, of a success or an error. */
  requestIdOf?(body: unknown): string | undefined;
}

/** A dialect with other names for fields, where a request has its own. */
export function withFields(
  dialect: ErrorDialect,
  { fields = dialect.fields, own = dialect.own }: { [Name in 'fields' | 'own']?: ErrorDialect[Name] | undefined },
): ErrorDialect {
  return { ...dialect, fields, own };
}

/** The field that a vendor's message names first, for vendors that name it nowhere else. */
export function fieldNamedIn(message: string | undefined, fields: ErrorDialect['fields']): string | undefined {
  return message?.split(/\W+/).find((word) => Object.hasOwn(fields, word));
}

/**
 * The meaning of a status alone as the answer to a start. A 4xx is a refusal before work began. 500 is the vendor reporting its own
 * failure. 503 and its kin (529; 521, 523, 525 and 526 of a fronting proxy that got no connection) were never accepted.
 * 504 and 524 are a proxy that stopped waiting: the work may be going on, and be billed.
 */
const STATUS_FAULTS: Readonly<Record<number, FaultCode>> = {
  400: 'bad_request',
  408: 'not_accepted',
  409: 'upstream_fault',
  413: 'bad_request',
  415: 'bad_request',
  422: 'bad_request',
  425: 'not_accepted',
  429: 'rate_limited',
  500: 'upstream_fault',
  503: 'not_accepted',
  504: 'outcome_unknown',
  521: 'not_accepted',
  523: 'not_accepted',
  524: 'outcome_unknown',
  525: 'not_accepted',
  526: 'not_accepted',
  529: 'not_accepted',
};

/** The fault of an answer that is not a success. `status` is 200 when the error came as the body of a success. */
export function judgeError(
  dialect: ErrorDialect,
  status: number,
  error: VendorError | undefined,
  context: Confidential & { retryAfterMs: number | undefined },
): Fault {
  const rule = error && dialect.rules.find((candidate) => matches(candidate, status, error));
  const read = rule?.fault ?? dialect.statuses?.[status] ?? statusFault(status, error !== undefined);
  const isOurs = read === 'bad_request' && error !== undefined && blamesOwn(dialect, error, context);
  const code = isOurs ? 'operator' : read;
  return present<Fault>({
    code,
    // Whoever asks here for this model sends that field.
    everyTime: isOurs || undefined,
    ofModel: isOurs || rule?.ofModel || (rule === undefined && isOfModel(code, status, error)) || undefined,
    ofVoice: rule?.ofVoice,
    ...publicPart(code, dialect, error),
    detail: faultDetail(describe(status, error, context.prompt !== undefined), context),
    retryAfterMs: context.retryAfterMs ?? error?.retryAfterMs,
  });
}

/**
 * Whether the field at fault is one that no caller can say. What is below a field of the request is the caller's, as the schema of a
 * function, so only the field itself counts. Where the vendor has no place for it, its message names the field first, as an identifier
 * or in quotes; the message of a call whose prompt is not known may quote its caller, and says nothing.
 */
function blamesOwn({ own, fields }: ErrorDialect, { param, message = '' }: VendorError, secret: Confidential): boolean {
  const isKnown = (name: string) => own.includes(name) || Object.hasOwn(fields, name);
  // `body.seed` is about `seed`: some vendors name the part of the request, too.
  const field = param?.split(/[^\w-]+/).find((segment) => isKnown(segment) || !PART.test(segment));
  if (field !== undefined && isKnown(field)) return own.includes(field);
  if (own.length === 0 || secret.prompt === undefined) return false;
  const words = maskConfidential(message, { apiKey: secret.apiKey, prompts: [secret.prompt] });
  const names = [...words.matchAll(NAME)].map(([, quoted, identifier]) => quoted ?? identifier ?? '');
  const named = names.find(isKnown);
  return named !== undefined && own.includes(named);
}

const PART = /^(?:body|input|parameters|instances|\d*)$/;
const NAME = /[`'"]([\w-]+)[`'"]|\b([a-z]+(?:_[a-z]+|[A-Z][a-z]*)+)\b/g;

function matches(rule: ErrorRule, status: number, error: VendorError): boolean {
  return (
    (rule.status === undefined || rule.status === status) &&
    (rule.code === undefined || rule.code.test(error.code ?? '')) &&
    (rule.type === undefined || rule.type.test(error.type ?? '')) &&
    (rule.message === undefined || rule.message.test(error.message ?? '')) &&
    (rule.reasons === undefined || rule.reasons.test(error.reasons ?? ''))
  );
}

/**
 * Other 5xx: with the vendor's own error body it has failed; without one (a gateway's HTML) nobody says what became of the
 * work. Other 3xx and 4xx: the channel is set up wrongly (a redirecting base URL, an unknown model, a key without rights).
 */
function statusFault(status: number, vendorSaysSo: boolean): FaultCode {
  const declared = STATUS_FAULTS[status];
  if (declared !== undefined) return declared;
  if (status >= 300 && status < 500) return 'operator';
  return vendorSaysSo ? 'upstream_fault' : 'outcome_unknown';
}

/** The vendor itself says that something is not there, which is the model; without its words the address may be wrong. */
function isOfModel(code: FaultCode, status: number, error: VendorError | undefined): boolean {
  return code === 'operator' && (status === 410 || (status === 404 && error !== undefined));
}

type PublicPart = Pick<Fault, 'message' | 'param'>;

function publicPart(code: FaultCode, dialect: ErrorDialect, error: VendorError | undefined): PublicPart {
  switch (code) {
    case 'bad_request':
      return blameField(dialect, error);
    case 'cannot_carry':
      return { message: message('no_such_operation') };
    default:
      return {};
  }
}

function blameField(dialect: ErrorDialect, error: VendorError | undefined): PublicPart {
  const vendors = error?.param?.replace(/[[.].*$/, '');
  const param = vendors !== undefined && Object.hasOwn(dialect.fields, vendors) ? dialect.fields[vendors] : undefined;
  return param === undefined ? {} : rejectedParameter(param);
}

/** The message about a field that a vendor refused. */
export function rejectedParameter(param: string): Required<PublicPart> {
  return { message: message('parameter_rejected', { parameter: param }), param };
}

function describe(status: number, error: VendorError | undefined, withMessage: boolean): string {
  if (error === undefined) return `status ${status} without an error that can be read`;
  const { type, code, param, reasons, message } = error;
  const words = [type, code, param && `param ${param}`, reasons].filter(Boolean).join(', ');
  return `status ${status}: ${words}${message === undefined || !withMessage ? '' : `: ${message}`}`;
}
