/** Values of `limit` that every list refuses. */
export const invalidLimits = [
  '0',
  '101',
  '-1',
  'abc',
  '',
  '1.0',
  '1e1',
  '+5',
  '%205',
  '0x10',
  '007',
  '9'.repeat(30),
  '1&limit=1',
]
