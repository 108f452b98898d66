import express from 'express';

const BODY_MAX_BYTES = 8192;

/** Bodies of the console's own routes; a form, which any page could send, is none. */
export const readJson = express.json({ limit: BODY_MAX_BYTES, type: 'application/json' });
