// The example of the standard's own documentation: "GET Bucket (List Objects)" in
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { signedHeaders } from './s3-signature.ts'

test('a request is signed as the standard’s example is', () => {
  const asked = {
    method: 'GET',
    host: 'examplebucket.s3.amazonaws.com',
    path: '/',
    query: { prefix: 'J', 'max-keys': '2' },
    bodyHash: hash('sha256', ''),
  }
  const place = {
    region: 'us-east-1',
    keyId: 'AKIAIOSFODNN7EXAMPLE',
    secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  }
  const { authorization } = signedHeaders(asked, place, Date.UTC(2013, 4, 24))
  assert.equal(
    authorization,
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;x-amz-content-sha256;x-amz-date,Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  )
})
