/** What a caller may send at most. Sizes in bytes, times in milliseconds. */

const KIB = 1024;
const MIB = 1024 * KIB;

/** A body of plain parameters. */
export const PARAMETERS_MAX_BYTES = 256 * KIB;
/** A submission that may carry a mask as a data URL: 4 MiB grow by a third in base64. */
export const SUBMISSION_MAX_BYTES = 8 * MIB;
export const UPLOAD_MAX_BYTES = 20 * MIB;
/** An upload as a data URL. */
export const UPLOAD_JSON_MAX_BYTES = 28 * MIB;

/** Files of an image edit, as a form. */
export const EDIT_MAX_IMAGES = 16;
export const EDIT_IMAGE_MAX_BYTES = 20 * MIB;
export const EDIT_MASK_MAX_BYTES = 4 * MIB;
export const EDIT_FORM_MAX_BYTES = 64 * MIB;

export const FORM_MAX_FIELDS = 64;
export const FORM_FIELD_MAX_BYTES = 128 * KIB;

/** Bytes of files that all requests of one process may hold in memory at once; beyond it a form is answered 503. */
export const FORMS_IN_MEMORY_MAX_BYTES = 256 * MIB;

/** Nesting of a JSON body: the deepest body of the specification needs 4. */
export const JSON_MAX_DEPTH = 32;

export const JSON_BODY_TIMEOUT_MS = 30_000;
export const FORM_BODY_TIMEOUT_MS = 60_000;

export const IDEMPOTENCY_KEY_MAX_CHARACTERS = 255;
export const BATCH_MAX_TASKS = 100;
