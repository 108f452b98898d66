/** Of an account: its share of the turns in which tasks that wait beyond the window of their family go on. */
export const PRIORITY_CLASSES = ['low', 'normal', 'high'] as const;
export type PriorityClass = (typeof PRIORITY_CLASSES)[number];
