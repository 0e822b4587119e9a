import { forbiddenField, invalidValue, notSupported, required } from '../core/errors.js';
import type { FieldError } from '../core/types.js';
import type { CrdConversion } from './types.js';

const reviewVersions = ['v1', 'v1beta1'];

/** Checks `spec.conversion`; errors stand on the paths of the internal form. */
export function validateConversion(conversion: CrdConversion | undefined): FieldError[] {
  if (!conversion) return [];
  const path = 'spec.conversion';
  const errors: FieldError[] = [];
  const { strategy, webhook } = conversion;
  if (!strategy) errors.push(required(`${path}.strategy`));
  else if (strategy !== 'None' && strategy !== 'Webhook')
    errors.push(notSupported(`${path}.strategy`, strategy, ['None', 'Webhook']));
  if (strategy !== 'Webhook') {
    const why = 'should not be set when strategy is not set to Webhook';
    if (webhook?.clientConfig) errors.push(forbiddenField(`${path}.webhookClientConfig`, why));
    if (webhook?.conversionReviewVersions?.length) errors.push(forbiddenField(`${path}.conversionReviewVersions`, why));
    return errors;
  }
  const config = webhook?.clientConfig;
  if (!config) errors.push(required(`${path}.webhookClientConfig`, 'required when strategy is set to Webhook'));
  else if ((config.url === undefined) === (config.service === undefined)) {
    errors.push(required(`${path}.webhookClientConfig`, 'exactly one of url or service is required'));
  } else if (config.url !== undefined && !config.url.startsWith('https://')) {
    errors.push(
      invalidValue(
        `${path}.webhookClientConfig.url`,
        config.url,
        "'https' is the only allowed URL scheme; desired format: https://host[/path]",
      ),
    );
  }
  const versions = webhook?.conversionReviewVersions ?? [];
  const at = `${path}.conversionReviewVersions`;
  if (versions.length === 0) errors.push(required(at));
  else if (!versions.some((v) => reviewVersions.includes(v))) {
    errors.push(invalidValue(at, versions, `must include at least one of ${reviewVersions.join(', ')}`));
  }
  return errors;
}
