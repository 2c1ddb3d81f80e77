// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Element by element: 16 kernels, which are instances of one template.

struct square {
  template <class T>
  __device__ T operator()(T x) const {
    return x * x;
  }
};
struct cube {
  template <class T>
  __device__ T operator()(T x) const {
    return x * x * x;
  }
};
struct root {
  template <class T>
  __device__ T operator()(T x) const {
    return sqrt(x);
  }
};
struct reciprocal {
  template <class T>
  __device__ T operator()(T x) const {
    return T(1) / x;
  }
};
struct relu {
  template <class T>
  __device__ T operator()(T x) const {
    return x > T(0) ? x : T(0);
  }
};
struct sigmoid {
  template <class T>
  __device__ T operator()(T x) const {
    return T(1) / (T(1) + exp(-x));
  }
};
struct gelu {
  template <class T>
  __device__ T operator()(T x) const {
    return T(0.5) * x * (T(1) + erf(x * T(0.70710678118654752)));
  }
};
struct softplus {
  template <class T>
  __device__ T operator()(T x) const {
    return log1p(exp(x));
  }
};

template <class T, class Operation>
__global__ void __launch_bounds__(256) map(int n, T const* x, T* y) {
  int const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = Operation()(x[i]);
}

template __global__ void map<float, square>(int, float const*, float*);
template __global__ void map<float, cube>(int, float const*, float*);
template __global__ void map<float, root>(int, float const*, float*);
template __global__ void map<float, reciprocal>(int, float const*, float*);
template __global__ void map<float, relu>(int, float const*, float*);
template __global__ void map<float, sigmoid>(int, float const*, float*);
template __global__ void map<float, gelu>(int, float const*, float*);
template __global__ void map<float, softplus>(int, float const*, float*);
template __global__ void map<double, square>(int, double const*, double*);
template __global__ void map<double, cube>(int, double const*, double*);
template __global__ void map<double, root>(int, double const*, double*);
template __global__ void map<double, reciprocal>(int, double const*, double*);
template __global__ void map<double, relu>(int, double const*, double*);
template __global__ void map<double, sigmoid>(int, double const*, double*);
template __global__ void map<double, gelu>(int, double const*, double*);
template __global__ void map<double, softplus>(int, double const*, double*);
