import { KubewrightError } from '@kubewright/api';

/** The command line is wrong; what was wrong and one usage line are shown, not the whole help. */
export const usageError = (message: string, usage: string): KubewrightError =>
  new KubewrightError('KW_USAGE', `${message}\nusage: ${usage}`);
