/** A recipe with one ingredient. */
export const exampleRecipe = `apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata: { name: platform, version: 1.0.0 }
spec:
  ingredients:
    - name: app
      kind: ContainerImage
      ref: registry.example/library/app
      version: 1.4.2
      digest: sha256:4f1d8a5c0e7b93628ad1c4f5e6907b8a2d3c4e5f60718293a4b5c6d7e8f90a1b
`;

/** A Retriever document with one recipe. */
export const exampleRetriever = `apiVersion: recipe.tobby.dev/v1alpha1
kind: Retriever
metadata: { name: zone-b }
spec:
  cookbook: registry.example/cookbook
  recipes:
    - { name: platform, version: ^1.0 }
`;

/** Digest of something that was shown before it is changed. */
export const exampleFingerprint = 'sha256:0d6be8bf3a2a04b1ff9bd5a4d3ba87bc1a0b7f9a5f3c84d6b1f2e7d0c9a8b7c6';
