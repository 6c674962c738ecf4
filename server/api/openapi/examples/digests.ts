/** Digests in the examples. The same digest names the same content in all of them. */
export const digests = {
  app: 'sha256:4f1d8a5c0e7b93628ad1c4f5e6907b8a2d3c4e5f60718293a4b5c6d7e8f90a1b',
  amd64: 'sha256:7a0c3e915bd842f6a1e07c9d5b3f286410e9d8c7b6a59483726150fedcba9876',
  signature: 'sha256:b9e2f4d81c6a375092d4e8f1a3c5b7d9e0f2143658790abcdef1234567890abc',
  recipe: 'sha256:2c9d4b6e8f0a1c3e5d7f9b1a3c5e7092b4d6f80a2c4e608a9bcddeff01234567',
  document: 'sha256:e1f2d3c4b5a697887960514233241506f7e8d9cabbac9d8e7f60514233241506',
  preview: 'sha256:0d6be8bf3a2a04b1ff9bd5a4d3ba87bc1a0b7f9a5f3c84d6b1f2e7d0c9a8b7c6',
  statement: 'sha256:5d4c3b2a190807f6e5d4c3b2a1908f7e6d5c4b3a29180706f5e4d3c2b1a09f8e',
  layer: 'sha256:9b8c7d6e5f4031221304f5e6d7c8b9aa0b1c2d3e4f5061728394a5b6c7d8e9f0',
} as const;
