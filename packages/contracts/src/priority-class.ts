/** Of an account: its share of the turns while more of a family waits than its workers carry. */
export const PRIORITY_CLASSES = ['low', 'normal', 'high'] as const;
export type PriorityClass = (typeof PRIORITY_CLASSES)[number];
