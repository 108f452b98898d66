/** The action that a caller may take on a task that waits for the caller, by the task's operation. */
export const NEXT_ACTIONS: Readonly<Record<string, NextAction>> = {
  'imgtool.inpaint': { type: 'modal', method: 'POST', path: '/v1/imgtool/generations/modal' },
};

export interface NextAction {
  type: 'modal';
  method: 'POST';
  path: string;
}
