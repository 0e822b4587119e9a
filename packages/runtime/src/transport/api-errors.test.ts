import { expect } from 'chai';
import { describe, it } from 'mocha';
import { apiError } from './api-errors.js';

const subject = { verb: 'create', kind: 'Pod', key: 'default/web-1' };

const codeOf = (status: number, body: string): string => apiError({ status, headers: {}, body }, subject, 0).code;
const statusBody = (code: number, reason: string): string =>
  JSON.stringify({ kind: 'Status', status: 'Failure', code, reason, message: 'no' });

describe('apiError', () => {
  it('L25 has a code for each reason, and the reason decides before the status', () => {
    const table: [number, string, string][] = [
      [400, 'BadRequest', 'BAD_REQUEST'],
      [401, 'Unauthorized', 'UNAUTHORIZED'],
      [403, 'Forbidden', 'FORBIDDEN'],
      [404, 'NotFound', 'NOT_FOUND'],
      [409, 'AlreadyExists', 'ALREADY_EXISTS'],
      [409, 'Conflict', 'CONFLICT'],
      [410, 'Expired', 'EXPIRED'],
      [410, 'Gone', 'EXPIRED'],
      [422, 'Invalid', 'INVALID'],
      [429, 'TooManyRequests', 'TOO_MANY_REQUESTS'],
      [500, 'InternalError', 'INTERNAL'],
      [500, 'ServerTimeout', 'TIMEOUT'],
      [503, 'ServiceUnavailable', 'UNAVAILABLE'],
      [504, 'Timeout', 'TIMEOUT'],
    ];
    expect(table.map(([status, reason]) => codeOf(status, statusBody(status, reason)))).to.deep.equal(
      table.map(([, , code]) => `KW_API_${code}`),
    );
  });

  it('L25 goes by the status where there is no reason, or no Status', () => {
    const statuses = [400, 404, 413, 415, 422, 429, 500, 503, 418];
    const codes = ['BAD_REQUEST', 'NOT_FOUND', 'TOO_LARGE', 'MEDIA_TYPE', 'INVALID', 'TOO_MANY_REQUESTS', 'INTERNAL'];
    const expected = [...codes, 'UNAVAILABLE', 'OTHER'].map((code) => `KW_API_${code}`);
    expect(statuses.map((status) => codeOf(status, '<html>'))).to.deep.equal(expected);
    expect(statuses.map((status) => codeOf(status, statusBody(status, '')))).to.deep.equal(expected);
  });

  it('L25 tells what was asked, and what came in its place', () => {
    const invalid = JSON.stringify({
      kind: 'Status',
      code: 422,
      reason: 'Invalid',
      message: 'spec.containers: Required value',
    });
    const error = apiError({ status: 422, headers: { 'audit-id': 'a1' }, body: invalid }, subject, 0);
    expect(error.message).to.equal('create Pod default/web-1: 422 Invalid: spec.containers: Required value');
    expect(error).to.include({ status: 422, reason: 'Invalid', auditId: 'a1', verb: 'create', kind: 'Pod' });
    const html = { status: 502, headers: { 'content-type': 'text/html; charset=utf-8' }, body: 'x'.repeat(173) };
    expect(apiError(html, { verb: 'get', kind: 'Pod', key: 'default/x' }, 0).message).to.equal(
      'get Pod default/x: HTTP 502 without a Status (text/html, 173 bytes)',
    );
  });
});
