// Pinocchio's algorithms behind plain C functions, all of it compiled from headers here.
//
// Nothing of the installed library is linked: its binaries are built for a generic machine, and
// Eigen's alignment, part of the binary interface, changes with -march=native. The model therefore
// comes in as numbers, not from a file.
#include <pinocchio/multibody.hpp>

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea-second-order-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include "rk4.h"

#include <memory>
#include <string>

namespace
{
using namespace pinocchio;
using Vector = Eigen::VectorXd;
using In = Eigen::Map<const Vector>;
using Out = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

std::unique_ptr<Model> model;
std::unique_ptr<Data> data;
bool reading = false; // results are copied out only to be checked

JointIndex add_joint(JointIndex parent, int axis, const SE3 & placement, const std::string & name)
{
  switch (axis)
  {
  case 0:
    return model->addJoint(parent, JointModelRX(), placement, name);
  case 1:
    return model->addJoint(parent, JointModelRY(), placement, name);
  default:
    return model->addJoint(parent, JointModelRZ(), placement, name);
  }
}

In part(const double * x, int index) { return In(x + index * model->nv, model->nv); }

template<typename Matrix>
void copy(const Matrix & from, double * to)
{
  if (reading)
    Out(to, from.rows(), from.cols()) = from;
}

template<typename Matrix>
void copy_symmetric(const Matrix & upper, double * to)
{
  if (reading)
    Out(to, upper.rows(), upper.cols()) = upper.template selfadjointView<Eigen::Upper>();
}
} // namespace

extern "C"
{
// One row a joint: parent, axis, R (9, row-major), p (3), mass, centre (3), I about it (9).
void load(const double * rows, long joints, const double * gravity)
{
  model.reset(new Model());
  model->gravity.linear(Eigen::Map<const Eigen::Vector3d>(gravity));
  for (long k = 0; k < joints; k++)
  {
    using Rows = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
    const double * row = rows + 27 * k;
    const SE3 placement(Rows(row + 2), Eigen::Map<const Eigen::Vector3d>(row + 11));
    const JointIndex joint =
      add_joint((JointIndex)row[0], (int)row[1], placement, "joint" + std::to_string(k));
    const Inertia inertia(
      row[14], Eigen::Map<const Eigen::Vector3d>(row + 15), Eigen::Matrix3d(Rows(row + 18)));
    model->appendBodyToJoint(joint, inertia, SE3::Identity());
  }
  data.reset(new Data(*model));
}

void read_results(int on) { reading = on != 0; }

void forward_dynamics(const double * x, double * y)
{
  aba(*model, *data, part(x, 0), part(x, 1), part(x, 2), Convention::LOCAL);
  copy(data->ddq, y);
}

// The same in world axes: some robots are faster so, others in link axes.
void forward_dynamics_world(const double * x, double * y)
{
  aba(*model, *data, part(x, 0), part(x, 1), part(x, 2), Convention::WORLD);
  copy(data->ddq, y);
}

// By the mass matrix and its factorization: a little faster on short chains and on branched trees.
static void by_factor(const double * x, double * y, Convention axes)
{
  crba(*model, *data, part(x, 0), axes);
  nonLinearEffects(*model, *data, part(x, 0), part(x, 1));
  cholesky::decompose(*model, *data);
  data->ddq = part(x, 2) - data->nle;
  cholesky::solve(*model, *data, data->ddq);
  copy(data->ddq, y);
}

void forward_dynamics_factored(const double * x, double * y)
{
  by_factor(x, y, Convention::LOCAL);
}

void forward_dynamics_factored_world(const double * x, double * y)
{
  by_factor(x, y, Convention::WORLD);
}

void step_rates(const double * x, double * y)
{
  aba(*model, *data, part(x, 0), part(x, 1), part(x, 2), Convention::LOCAL);
  Eigen::Map<Vector>(y, model->nv) = data->ddq;
}

void step_rates_world(const double * x, double * y)
{
  aba(*model, *data, part(x, 0), part(x, 1), part(x, 2), Convention::WORLD);
  Eigen::Map<Vector>(y, model->nv) = data->ddq;
}

void rk4_step(const double * x, double * y) { rk4_step_of(step_rates, model->nv, x, y); }

void rk4_step_world(const double * x, double * y) { rk4_step_of(step_rates_world, model->nv, x, y); }

void inverse_dynamics(const double * x, double * y)
{
  rnea(*model, *data, part(x, 0), part(x, 1), part(x, 2));
  copy(data->tau, y);
}

void mass_matrix(const double * x, double * y)
{
  crba(*model, *data, part(x, 0), Convention::LOCAL);
  copy_symmetric(data->M, y);
}

void mass_matrix_world(const double * x, double * y)
{
  crba(*model, *data, part(x, 0), Convention::WORLD);
  copy_symmetric(data->M, y);
}

void forward_dynamics_derivatives(const double * x, double * y)
{
  const long n = (long)model->nv * model->nv;
  computeABADerivatives(*model, *data, part(x, 0), part(x, 1), part(x, 2));
  copy(data->ddq_dq, y);
  copy(data->ddq_dv, y + n);
  copy_symmetric(data->Minv, y + 2 * n);
}

// By q and q, u and q, u and u, a and q: force first, then in this order.
void inverse_dynamics_second_derivatives(const double * x, double * y)
{
  const long n = model->nv;
  ComputeRNEASecondOrderDerivatives(*model, *data, part(x, 0), part(x, 1), part(x, 2));
  if (!reading)
    return;
  for (long k = 0; k < n; k++)
    for (long i = 0; i < n; i++)
      for (long j = 0; j < n; j++)
      {
        const long place = (k * n + i) * n + j;
        y[place] = data->d2tau_dqdq(k, i, j);
        y[n * n * n + place] = data->d2tau_dqdv(k, j, i);
        y[2 * n * n * n + place] = data->d2tau_dvdv(k, i, j);
        y[3 * n * n * n + place] = data->d2tau_dadq(k, i, j);
      }
}
}
